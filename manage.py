#!/usr/bin/env python
"""Moorage's command line."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line
    from django.db import ProgrammingError
    from psycopg.errors import UndefinedColumn, UndefinedTable

    from config.embedded import UnableToStart

    try:
        execute_from_command_line(sys.argv)
    except UnableToStart as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    except ProgrammingError as error:
        if not isinstance(error.__cause__, UndefinedColumn | UndefinedTable):
            raise
        sys.exit(f"{sys.argv[0]}: the database lacks tables of this version: run {sys.argv[0]} migrate first")


if __name__ == "__main__":
    main()
