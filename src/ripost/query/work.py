"""Work: what a question costs, estimated before it is answered, and the limit on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ripost.errors import QueryError
from ripost.space.region import Region
from ripost.view.answer import Answers
from ripost.view.asked import Asked
from ripost.view.view import View

MOST_WORK = 10_000_000  # pairs of a box and a block in one question, all its measures together; less than 10 s
BOX = 20  # pairs that take as long as a box does by itself
MEETING = 4  # pairs that take as long as finding what two selections have in common
TOO_MUCH = (
    f"the question is too much work: its groups, measures and OR conditions meet more than {MOST_WORK:,} blocks in "
    "all; ask for fewer groups or measures, or in several questions"
)


@dataclass
class Work:
    """The work that one question has asked for so far."""

    done: int = 0

    def expect(self, boxes: int) -> None:
        """QueryError if this number of further boxes is too much, whatever they meet."""
        if self.done + boxes * BOX > MOST_WORK:
            raise QueryError(TOO_MUCH)

    def charge(self, pairs: int) -> None:
        """Count work that takes as long as this number of pairs; QueryError if that is too much."""
        self.done += pairs
        self.expect(0)

    def meet(self, selections: int) -> None:
        """Count pairs of selections whose common part is looked for."""
        self.charge(selections * MEETING)

    def answers(self, view: View, regions: Sequence[Region]) -> Answers:
        """The total of each region with its error; QueryError, before any is answered, if that is too much."""
        boxes = sum(map(len, regions))
        self.expect(boxes)
        asked = Asked.of(regions, view.domain.shape)
        self.charge(boxes * BOX + view.content.most_pairs(asked))
        return view.answer_asked(asked)
