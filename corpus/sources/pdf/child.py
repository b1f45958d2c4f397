"""The process that parses one PDF: `python -m corpus.sources.pdf.child NAME MEMORY CPU_S PAGES`.

What may be recognised (a line of JSON) and then the file come on standard input; the document in
JSON, or the reason why there is none, goes to standard output. It opens no file of its own, no
socket and no database.
"""

from __future__ import annotations

import sys
from typing import BinaryIO

from corpus.sources import written
from corpus.sources.base import NotThisSource, ParseError
from corpus.sources.pdf.isolated import EXIT_HALF, EXIT_MEMORY, EXIT_REFUSED
from corpus.sources.pdf.normalizer import normalize
from corpus.sources.pdf.ocr.reader import HalfRead, OcrTurn, Recogniser
from corpus.sources.pdf.parser import parse


def set_limits(memory_bytes: int, cpu_s: int) -> None:
    """Cap memory and processor time of this process where the system can.

    Memory is what it writes to: libraries and models that are mapped from files reserve far more
    addresses than they ever fill.
    """
    try:
        import resource
    except ImportError:  # no such limits on this system: the parent's clock is left
        return
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(arguments: list[str], source: BinaryIO, target: BinaryIO) -> int:
    """Parse what `source` holds; return the exit status."""
    filename, memory_bytes, cpu_s, max_pages = arguments
    turn = OcrTurn.from_line(source.readline())
    data = source.read()
    set_limits(int(memory_bytes), int(cpu_s))
    try:
        (paper,) = parse(data, filename, max_pages=int(max_pages), recogniser=Recogniser(turn))
        answer = written.write(normalize(paper))
    except (ParseError, NotThisSource) as refusal:
        target.write(refusal.message.encode())
        return EXIT_REFUSED
    except HalfRead as half:
        target.write(half.as_json())
        return EXIT_HALF
    except MemoryError:
        return EXIT_MEMORY
    target.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
