"""The demo fleet, loaded through the same services as anybody's."""

from scheduler.services.demo.load import Load, UnableToLoadDemo, load_demo
from scheduler.services.demo.logins import LOGINS, Login
from scheduler.services.demo.slices import workers_here

__all__ = ["LOGINS", "Load", "Login", "UnableToLoadDemo", "load_demo", "workers_here"]
