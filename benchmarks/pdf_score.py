"""PDF reading beside other tools, scored in one run: `bin/bench pdf_score [SHARED_DATA] [--alone]`

Reads the answer-keyed papers with Flux, PyMuPDF's blocks, camelot's stream reader and pymupdf4llm
with its layout model, each with its defaults in one process, and scores all of them with the
scorer that lies beside the papers. The other tools get an environment of their own, made once.
Papers are parted by the sha256 of their file names: rules were made while looking at the tuned
half; the other half is reported apart. `--alone` leaves the other tools out.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from benchmarks.installation import ROOT, table
from flux_site.runtime.state import state_path

PINNED: Final = ("pymupdf==2.0", "pymupdf4llm==2.0", "camelot-py==2.0.0")  # 2.0 holds the model
TOOLS: Final = {
    "PyMuPDF blocks": "pymupdf",
    "camelot stream": "camelot-stream",
    "pymupdf4llm + layout": "pymupdf4llm-layout",
}
SPEED: Final = "pages per CPU second"
# Percent that docs/evaluation.md aims at; None where a measure only explains another.
REACH: Final[dict[str, float | None]] = {
    "sentences found": 99.4,
    "spaces kept": 99.8,
    "abstract sentences": None,
    "adjacent, nothing between": 97.0,
    "adjacent, in order": 98.8,
    "page right": 100.0,
    "bbox holds sentence start": 99.3,
    "section right (leaf)": 93.0,
    "headings recall": 94.0,
    "headings precision": 92.0,
    "figure captions recall": 95.0,
    "figure captions precision": 97.0,
    "figure linked to a box": 93.0,
    "table captions recall": 98.0,
    "tables found (half the cells)": 95.0,
    "tables precision": 95.0,
    "cells equal, in row order": 92.0,
    "cells equal, same column and spans": 88.0,
    "rows with all cells in order": 85.0,
    SPEED: 8.0,
}

Parsed = dict[str, dict[str, Any]]


def halves(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """(tuned, other): every second file name in the order of their sha256."""
    ordered = sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return sorted(ordered[::2]), sorted(ordered[1::2])


def load_scorer(folder: Path) -> ModuleType:
    """The scorer of the data set, as a module."""
    spec = importlib.util.spec_from_file_location("pdf_scorer", folder / "tools" / "score.py")
    if spec is None or spec.loader is None:
        raise RuntimeError(f"no scorer in {folder}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tools_python() -> Path:
    """Python of the environment that holds the other tools; made when missing."""
    wanted = "\n".join(PINNED)
    home = state_path() / "bench" / "pdf-tools"
    done = home / "pinned.txt"
    python = home / "bin" / "python"
    if not done.is_file() or done.read_text() != wanted:
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PINNED], check=True)
        done.write_text(wanted)
    return python


def run_tool(python: Path, data: Path, tool: str, target: Path) -> Parsed:
    """What one of the other tools makes of all papers. Raises when it makes nothing of any."""
    papers = sorted(map(str, (data / "pairs").glob("*.pdf")))
    script = data / "tools" / "baselines.py"
    done = subprocess.run(
        [python, script, tool, target, *papers], check=True, capture_output=True, text=True
    )
    parsed = {path.stem: json.loads(path.read_text()) for path in target.glob("*.json")}
    if not any(form.get("blocks") or form.get("tables") for form in parsed.values()):
        raise SystemExit(f"{tool} read no paper:\n{done.stdout}{done.stderr}")
    return parsed


def run_flux(data: Path, target: Path) -> Parsed:
    """What Flux makes of all papers, pictures included, in one child process."""
    papers = sorted(map(str, (data / "pairs").glob("*.pdf")))
    script = (
        "import json, sys, pathlib\n"
        "from corpus.sources.pdf.score_form import parse_form\n"
        "parse_form(sys.argv[2], images=True)\n"  # the first call also loads the library
        "for path in sys.argv[2:]:\n"
        "    form = parse_form(path, images=True)\n"
        "    target = pathlib.Path(sys.argv[1], form['id'] + '.json')\n"
        "    target.write_text(json.dumps(form))\n"
    )
    target.mkdir(exist_ok=True)
    subprocess.run([sys.executable, "-c", script, target, *papers], check=True, cwd=ROOT)
    return {path.stem: json.loads(path.read_text()) for path in target.glob("*.json")}


def rates(scorer: ModuleType, keys: Parsed, parsed: Parsed, names: Sequence[str]) -> dict[str, Any]:
    """The scorer's rates over some papers; a paper that was not read counts as read to nothing."""
    total: Counter[str] = Counter()
    for name in names:
        counts, _ = scorer.score(keys[name], parsed.get(name, {}))
        total.update(counts)
    return dict(scorer.rates(total))


def shown(found: Mapping[str, Any], measure: str) -> str:
    """A rate in percent, or a dash where the tool gives nothing of the kind."""
    value = found.get(measure)
    if not value:
        return "–"
    return f"{value:.1f}" if measure == SPEED else f"{100 * value:.1f}"


def main() -> None:
    """All tools, one table."""
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    shared = Path(os.environ.get("FLUX_SHARED", ROOT.parent / "shared"))
    data = (Path(given[0]) if given else shared / "data") / "pdf"
    scorer = load_scorer(data)
    keys = {path.stem: json.loads(path.read_text()) for path in (data / "keys").glob("*.json")}
    everything, (tuned, other) = sorted(keys), halves(sorted(keys))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flux = run_flux(data, folder / "flux")
        columns = {
            "Flux": rates(scorer, keys, flux, everything),
            "tuned half": rates(scorer, keys, flux, tuned),
            "other half": rates(scorer, keys, flux, other),
        }
        if "--alone" not in sys.argv:
            python = tools_python()
            for label, tool in TOOLS.items():
                parsed = run_tool(python, data, tool, folder / tool)
                columns[label] = rates(scorer, keys, parsed, everything)
    print("tuned half:", ", ".join(tuned))
    print("other half:", ", ".join(other), "\n")
    rows = [
        (measure, *(shown(found, measure) for found in columns.values()), reach or "–")
        for measure, reach in REACH.items()
    ]
    table(["measure", *columns, "reach"], rows)


if __name__ == "__main__":
    main()
