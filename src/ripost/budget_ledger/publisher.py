"""Publisher: the process that made a debit, and whether it still runs."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict

PROCESSES = Path("/proc")
WINDOWS = os.name == "nt"  # where os.kill(process, 0) does not ask but acts


class ProcessStatus(StrEnum):
    RUNNING = "running"
    GONE = "gone"
    ELSEWHERE = "elsewhere"  # on another machine, from before the last start of this one, or on Windows


class Publisher(BaseModel):
    """The number and the start of a process, and a hash of the machine and its last start."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    process: int
    started: str
    machine: str

    @classmethod
    def here(cls) -> Publisher:
        return cls(process=os.getpid(), started=_find_start(os.getpid()), machine=_machine())

    @property
    def process_status(self) -> ProcessStatus:
        if WINDOWS or self.machine != _machine():
            return ProcessStatus.ELSEWHERE
        try:
            os.kill(self.process, 0)
        except ProcessLookupError:
            return ProcessStatus.GONE
        except PermissionError:
            pass  # it runs, as somebody else
        return ProcessStatus.RUNNING if _find_start(self.process) == self.started else ProcessStatus.GONE


def _find_start(process: int) -> str:
    """The start of a process in ticks of its machine; empty if it has ended or the system does not report it."""
    with contextlib.suppress(OSError):
        fields = (PROCESSES / str(process) / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
        return "" if fields[0] in "ZX" else fields[19]
    return ""


def _machine() -> str:
    """A hash of the machine, its last start and its process namespace: process numbers are comparable within these."""
    facts = [platform.node()]
    with contextlib.suppress(OSError):
        facts.append((PROCESSES / "sys/kernel/random/boot_id").read_text("ascii"))
    with contextlib.suppress(OSError):
        facts.append(os.readlink(PROCESSES / "self/ns/pid"))  # noqa: PTH115
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
