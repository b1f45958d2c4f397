"""All saved records read twice: equal tables, no text encoded. `bin/bench twice [SHARED_DATA]`"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.digest import digest
from benchmarks.installation import ROOT, installation, table
from benchmarks.questions import load_real


def main() -> None:
    """Read, digest, read again, digest again."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    with installation() as made:
        print("First time")
        load_real(made, data)
        first, counts = digest(made)
        print("\nSecond time")
        load_real(made, data)
        second, again = digest(made)
        table(["table", "rows"], [(name, n) for name, n in counts.items() if n])
        print(f"\nfirst  {first}\nsecond {second}\n{'equal' if first == second else 'DIFFERENT'}")
        for name, n in again.items():
            if n != counts[name]:
                print(f"  {name}: {counts[name]} rows, then {n}")


if __name__ == "__main__":
    main()
