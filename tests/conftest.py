"""Fixtures stand in small files under tests/fixtures, one for each thing that a test may ask for."""

pytest_plugins = [
    "tests.fixtures.servers",
    "tests.fixtures.parts",
    "tests.fixtures.commands",
    "tests.fixtures.prometheus",
    "tests.fixtures.cast",
]
