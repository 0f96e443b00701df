"""Fixtures stand in small files under tests/fixtures, one for each thing that a test may ask for."""

from hypothesis import settings

pytest_plugins = [
    "tests.fixtures.servers",
    "tests.fixtures.parts",
    "tests.fixtures.commands",
    "tests.fixtures.prometheus",
    "tests.fixtures.cast",
    "tests.fixtures.outside",
    "tests.fixtures.trainer",
    "tests.fixtures.trail",
]

# A busy machine must not fail a property; what bounds a test in time is pytest's own limit.
settings.register_profile("moorage", deadline=None)
settings.load_profile("moorage")
