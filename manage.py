#!/usr/bin/env python
"""Django's command line; `bin/flux` runs it in the right environment and servers."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "flux_site.settings.dev")
    execute_from_command_line(sys.argv)
