"""`python -m flux_site.runtime COMMAND …`: what the files in bin/ run in the environment."""

from __future__ import annotations

import sys
from importlib import import_module

COMMANDS = {
    "up": "up",
    "flux": "commands",
    "bench": "commands",
    "test": "testing",
    "lint": "checks",
    "fix": "checks",
}


def main() -> int:
    """Give the rest of the command line to the module of the command."""
    command, *arguments = sys.argv[1:]
    module = import_module(f"flux_site.runtime.{COMMANDS[command]}")
    # A module that serves two commands has a function for each.
    run = getattr(module, command, None) or module.main
    return int(run(arguments))


if __name__ == "__main__":
    sys.exit(main())
