#!/usr/bin/env python
"""Moorage's command line."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        import django  # noqa: F401
    except ModuleNotFoundError:
        sys.exit(f"{sys.argv[0]}: this Python has no Django: run make setup, then .venv/bin/python manage.py")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError
    from psycopg.errors import UndefinedColumn, UndefinedTable

    from config.embedded import UnableToStart

    try:
        execute_from_command_line(sys.argv)
    except (UnableToStart, ImproperlyConfigured) as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None):  # it was reached, and answered
            raise
        reason = str(error).strip().split("\n", 1)[0]
        sys.exit(f"{sys.argv[0]}: the database cannot be reached: {reason}")
    except ProgrammingError as error:
        if not isinstance(error.__cause__, UndefinedColumn | UndefinedTable):
            raise
        sys.exit(f"{sys.argv[0]}: the database lacks tables of this version: run {sys.argv[0]} migrate first")


if __name__ == "__main__":
    main()
