"""Chat and on-call services through the apprise library, by its addresses, such as ``slack://…``.

Only services at their vendor's own host: see :data:`SCHEMES`.
"""

import contextlib
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from typing import Any
from urllib.parse import unquote, urlsplit

import apprise

from scheduler.domain.alert.message import Message, UnableToDeliver
from scheduler.domain.outside_address import Network


@dataclass(frozen=True, slots=True)
class Service:
    """One service: what people call it, and where the library keeps it."""

    name: str
    module: str
    plugin: str


SCHEMES: Mapping[str, Service] = {
    "discord": Service("Discord", "discord", "NotifyDiscord"),
    "gchat": Service("Google Chat", "google_chat", "NotifyGoogleChat"),
    "ilert": Service("ilert", "ilert", "NotifyILert"),
    "incidentio": Service("incident.io", "incidentio", "NotifyIncidentIO"),
    "opsgenie": Service("Opsgenie", "opsgenie", "NotifyOpsgenie"),
    "pagerduty": Service("PagerDuty", "pagerduty", "NotifyPagerDuty"),
    "pover": Service("Pushover", "pushover", "NotifyPushover"),
    "signl4": Service("SIGNL4", "signl4", "NotifySIGNL4"),
    "slack": Service("Slack", "slack", "NotifySlack"),
    "splunk": Service("Splunk On-Call", "splunk", "NotifySplunk"),
    "squadcast": Service("Squadcast", "squadcast", "NotifySquadcast"),
    "tgram": Service("Telegram", "telegram", "NotifyTelegram"),
    "victorops": Service("Splunk On-Call", "splunk", "NotifySplunk"),
    "workflows": Service("Microsoft Teams (Workflows)", "workflows", "NotifyWorkflows"),
    "wxteams": Service("Webex", "webexteams", "NotifyWebexTeams"),
}
"""What may be used, and all that is loaded. Apprise knows many more that run programs or write files on this machine
(dbus, syslog, file), or that call whatever host stands in the address: by those, whoever may enter an address could
reach into the network that Moorage stands in. The signed webhook is for hosts of one's own, since it checks each
address it connects to."""

HOSTS = {"workflows": (".logic.azure.com", ".powerplatform.com", ".powerautomate.com")}
"""Where a service's address names its host: what that ends with."""

OPTIONS = frozenset(
    {
        "api-version", "avatar", "blocks", "class", "entity", "footer", "group", "image", "mode", "powerautomate",
        "priority", "region", "severity", "sig", "silent", "source", "sound", "tags", "thread", "timestamp", "topic",
        "tts", "ver",
    }
)  # fmt: skip
"""What may follow the question mark. The rest reads files of this machine (template), weakens the connection (verify),
lets it lead elsewhere (redirect) or makes it wait (retry, wait, cto, rto)."""

TIMEOUT_SECONDS = 8.0
SHOWN_OF = 4
LONGEST = 1000
NEWER_TRIES = frozenset({408, 425, 429})


def shown(address: str, networks: Sequence[Network]) -> str:
    """The service and the end of the address; UnableToDeliver for one that is none, or may not be used."""
    _service(address)
    return f"{SCHEMES[_scheme(address)].name} (…{_end(address)})"


def send(address: str, secret: str, message: Message, networks: Sequence[Network]) -> None:
    """Hand a message to a service once; UnableToDeliver where it is not taken."""
    service = _service(address)
    name = SCHEMES[_scheme(address)].name
    with _heard() as said:
        taken = service.notify(
            title=" ".join(message.subject.split()),
            body=message.text,
            notify_type=_type(message),
            body_format=apprise.NotifyFormat.TEXT,
        )
    if not taken:
        raise _refused(name, said.getvalue())


def _service(address: str) -> apprise.NotifyBase:
    scheme = _scheme(address)
    if scheme not in SCHEMES:
        known = ", ".join(f"{one}://" for one in sorted(SCHEMES))
        raise UnableToDeliver(
            f"An address of a service begins with one of {known}; for a host of your own use the webhook.",
            permanent=True,
        )
    _check_parts(address)
    service = _made(SCHEMES[scheme], address)
    if len(service) > 1:  # what one of them did not take would be told to the others again with every try
        said = "An address names one channel: give each a route of its own, so that it is told once."
        raise UnableToDeliver(said, permanent=True)
    service.redirects = False
    service.socket_connect_timeout = service.socket_read_timeout = TIMEOUT_SECONDS
    return service


def _made(kind: Service, address: str) -> apprise.NotifyBase:
    plugin = getattr(import_module(f"apprise.plugins.{kind.module}"), kind.plugin)
    try:
        with _heard():
            read = plugin.parse_url(address)
            if read is None:
                raise TypeError
            _check_read(read, _scheme(address))
            return plugin(**read)
    except (TypeError, ValueError) as error:
        said = f"This is not an address of {kind.name}: look for a missing or mistyped part."
        raise UnableToDeliver(said, permanent=True) from error


def _check_read(read: Mapping[str, Any], scheme: str) -> None:
    """What counts is what the library itself reads in an address, which is not always what a URL says."""
    options = {str(name).strip().lower() for part in ("qsd", "qsd+", "qsd-", "qsd:") for name in read.get(part) or ()}
    odd = sorted(options - OPTIONS)
    if odd or read.get("template") or read.get("verify") is False:
        name = odd[0][:40] if odd else "template" if read.get("template") else "verify"
        raise UnableToDeliver(f"The option “{name}” may not be set in an address.", permanent=True)
    host = str(read.get("host") or "").lower()
    if scheme in HOSTS and not host.endswith(HOSTS[scheme]):
        ends = " or ".join(HOSTS[scheme])
        raise UnableToDeliver(f"The host of an address of {SCHEMES[scheme].name} ends with {ends}.", permanent=True)


def _check_parts(address: str) -> None:
    if len(address) > LONGEST or not address.isprintable() or " " in address:
        raise UnableToDeliver(f"An address holds no blanks and at most {LONGEST} characters.", permanent=True)
    try:
        urlsplit(address)
    except ValueError as error:
        raise UnableToDeliver("This is not an address: a bracket is not closed.", permanent=True) from error
    if address.count("@") > 1 or any(mark in address for mark in ";\\"):
        raise UnableToDeliver("Write an @, a ; or a \\ within a part of an address as %40, %3B or %5C.", permanent=True)
    if "#" in address:  # the library leaves out what follows it, and the message went elsewhere
        raise UnableToDeliver("Write the # of a channel as %23 in an address.", permanent=True)


def _refused(name: str, said: str) -> UnableToDeliver:
    """What the library tells in its log alone: the service's status, or that there was no connection."""
    code = re.search(r"error=(\d{3})\b", said)
    if code is None:
        return UnableToDeliver(f"{name} cannot be reached, or did not take the message.", permanent=False)
    status = int(code[1])
    permanent = 400 <= status < 500 and status not in NEWER_TRIES
    return UnableToDeliver(f"{name} answered {status}.", permanent=permanent)


_SAID: ContextVar[StringIO | None] = ContextVar("said", default=None)


class _Listener(logging.Handler):
    """Keeps what the library logs for the one call that it is about, however many go on beside it."""

    def emit(self, record: logging.LogRecord) -> None:
        said = _SAID.get()
        if said is not None:
            said.write(f"{record.getMessage()}\n")


apprise.logger.addHandler(_Listener())
apprise.logger.propagate = False  # for good, and from every other log: addresses stand in what it says


@contextlib.contextmanager
def _heard() -> Iterator[StringIO]:
    """What the library logs within, about this call alone."""
    said = StringIO()
    before = _SAID.set(said)
    try:
        yield said
    finally:
        _SAID.reset(before)


def _type(message: Message) -> apprise.NotifyType:
    kinds = {"critical": apprise.NotifyType.FAILURE, "warning": apprise.NotifyType.WARNING}
    if message.data.get("event") == "resolved":
        return apprise.NotifyType.SUCCESS
    return kinds.get(str(message.data.get("severity")), apprise.NotifyType.INFO)


def _scheme(address: str) -> str:
    return address.partition("://")[0].strip().lower()


def _end(address: str) -> str:
    """The last few letters of its path: enough to tell two apart, of no use to anybody else."""
    path = unquote(urlsplit(address).path).rstrip("/") or urlsplit(address).netloc
    return path[-SHOWN_OF:]
