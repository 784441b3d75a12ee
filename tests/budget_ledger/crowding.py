"""Let many publish from one ledger at once, and see that exactly as many succeed as it allows.

python -m tests.budget_ledger.crowding --publishers 20 --cap 7
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from ripost.budget_ledger.audit import audit
from ripost.budget_ledger.operations import read_ledger
from tests.budget_ledger.making import read_claim
from tests.budget_ledger.publishers import Publishers, warm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--publishers", type=int, default=20)
    parser.add_argument("--cap", type=int, default=7)
    given = parser.parse_args()
    warm()
    with tempfile.TemporaryDirectory(prefix="crowding-") as name:
        folder = Path(name)
        crowd = Publishers(folder, cap=given.cap)
        processes = [crowd.fork(f"v{number}.parquet") for number in range(given.publishers)]
        codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in processes]
        assert set(codes) <= {0, 2}, (folder / "said.txt").read_text("utf-8")
        claims = [read_claim(path) for path in sorted(folder.glob("*.parquet"))]
        state = read_ledger(crowd.ledgers[0])
        found = {
            "exit codes": dict(Counter(codes)),
            "views": len(claims),
            "debits": len(state.debits),
            "states": dict(Counter(paid.state for paid in state.debits.values())),
            "left": str(state.left[0]),
            "sound": all(check.ok for check in audit(crowd.ledgers[0], claims)),
        }
        sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
