"""One file per way out; a file here stands in this tuple.

Each has ``shown(address, networks)``, what may be seen of an address, and ``send(address, secret, message, networks)``;
both raise UnableToDeliver. ``networks`` are the private ones that may be called besides the public one.
"""

CHANNELS: tuple[str, ...] = ("email", "apprise", "webhook")
