"""SplitHistory: the splits of blocks and of their halves, which lead every cell to its block."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes
from ripost.errors import PrivacyError
from ripost.statistics.exact_sums import PIECE, pieces

Nodes = NDArray[np.int32]

ABSENT = -1
NEVER = 2**31 - 1  # above every code: the cut of a block that was not cut
ROOM = 1024  # blocks for which arrays are allocated at first
STEPS = 4  # cuts to follow between checks for cells that have arrived
MANY = 2**20  # cells from which several processors are faster than one


class SplitHistory:
    """Blocks by number: the first ones, then halves in the order of their splits. A split block is no longer a leaf."""

    def __init__(self, blocks: int) -> None:
        self.made = blocks
        room = max(blocks, ROOM)
        self._axis = np.zeros(room, np.int64)
        self._cut = np.full(room, NEVER)
        self._left = np.arange(room)
        self._depth = np.zeros(room, np.int64)

    def split(self, nodes: Codes, axis: Codes, cut: Codes) -> Codes:
        """The numbers of the halves of these blocks: left 0, right 0, left 1, right 1, …"""
        if (self._cut[nodes] != NEVER).any():
            raise PrivacyError("these blocks were cut before: cut their halves")
        first = self.made
        halves = np.arange(first, first + 2 * len(nodes))
        self.made += len(halves)
        if self.made > len(self._cut):
            more = np.arange(len(self._cut), max(self.made, 2 * len(self._cut)))
            self._axis = np.concatenate([self._axis, np.zeros_like(more)])
            self._cut = np.concatenate([self._cut, np.full_like(more, NEVER)])
            self._left = np.concatenate([self._left, more])
            self._depth = np.concatenate([self._depth, np.zeros_like(more)])
        self._axis[nodes], self._cut[nodes], self._left[nodes] = axis, cut, halves[::2]
        self._depth[first : self.made : 2] = self._depth[first + 1 : self.made : 2] = self._depth[nodes] + 1
        return halves

    def owners(self, nodes: Codes) -> tuple[Codes, bool]:
        """For each leaf, which of these blocks it is or descends from, ABSENT if none; and whether all leaves do."""
        number = np.full(self.made, ABSENT)
        number[nodes] = np.arange(len(nodes))
        cut = nodes
        while len(cut := cut[self._cut[cut] != NEVER]):  # split since
            left = self._left[cut]
            number[left] = number[left + 1] = number[cut]
            cut = np.concatenate([left, left + 1])
        every = not ((number == ABSENT) & (self._cut[: self.made] == NEVER)).any()
        return number, every

    def follow(self, coords: NDArray[np.int32], node: Nodes, known: int) -> Nodes:
        """The current block of each cell, from its block when there were `known` blocks."""
        new = self._depth[known : self.made]
        steps = int(new.max() - new.min()) + 1 if len(new) else 0
        found = np.empty(len(node), np.int32)
        on_all_processors(partial(self._follow, coords, node, found, steps), len(node))
        return found

    def _follow(self, coords: NDArray[np.int32], node: Nodes, found: Nodes, steps: int, first: int, last: int) -> None:
        """Follow the cuts. A cell in a leaf stays there, because no code reaches the cut NEVER."""
        flat, start = coords.reshape(-1), self._axis * coords.shape[1]
        for piece in pieces(last - first, PIECE):
            low, high = first + piece.start, first + piece.stop
            place, at = np.arange(low, high), node[low:high].astype(np.int64)
            for step in range(steps):
                if step and step % STEPS == 0:
                    moving = self._cut.take(at) != NEVER
                    if 2 * np.count_nonzero(moving) <= len(moving):
                        found[place] = at
                        place, at = place[moving], at[moving]
                        if not len(at):
                            break
                code = start.take(at)
                code += place
                beyond = flat.take(code) >= self._cut.take(at)
                at = self._left.take(at)
                at += beyond
            found[slice(low, high) if len(place) == high - low else place] = at


def on_all_processors(work: Callable[[int, int], None], cells: int) -> None:
    """Run work on all cells, split among the processors if there are many cells.

    NumPy releases the interpreter's lock while it copies, takes and compares.
    """
    parts = min(os.cpu_count() or 1, 1 + cells // MANY) if cells >= MANY else 1
    if parts == 1:
        work(0, cells)
        return
    edges = np.linspace(0, cells, parts + 1).astype(np.int64).tolist()
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(work, edges[:-1], edges[1:]))
