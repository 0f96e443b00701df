"""What a source's error means and what to do about it, in words for somebody who does not know the engine."""

from collections.abc import Iterable
from dataclasses import dataclass

from telemetry.domain.replacement import OVERTAKEN


@dataclass(frozen=True, slots=True)
class PlainError:
    """One kind of error: what it means, and the next step."""

    kind: str
    means: str
    do: str


_COMES_BY_ITSELF = "Hours that are missing come by themselves for 14 days."

KINDS: tuple[tuple[tuple[str, ...], PlainError], ...] = (
    (
        ("its name cannot be resolved",),
        PlainError(
            "no such host",
            "No machine goes by the name in the source's address.",
            f"Correct the address, or the name service where the worker runs. {_COMES_BY_ITSELF}",
        ),
    ),
    (
        ("nothing takes the connection", "cannot be reached"),
        PlainError(
            "nobody there",
            "Nothing answers at that address: it is down, restarting, or listens elsewhere.",
            f"See that it runs, then that address and port are right. {_COMES_BY_ITSELF}",
        ),
    ),
    (
        ("took no connection within",),
        PlainError(
            "blocked on the way",
            "The connection is swallowed: a firewall or a route, seldom the source itself.",
            "Let the worker's network reach that address.",
        ),
    ),
    (
        ("certificate that cannot be trusted",),
        PlainError(
            "certificate not trusted",
            "The source's certificate has run out, is for another name, or is signed by somebody unknown here.",
            "Renew it, or give the worker the signer's certificate.",
        ),
    ),
    (
        ("(401)", "(403)", "did not accept the credentials", "signature does not match"),
        PlainError(
            "log-in refused",
            "The source is there and does not accept who we say we are.",
            "Renew the token or the keys the worker is given; nothing can be read until then.",
        ),
    ),
    (
        ("credentials have expired",),
        PlainError(
            "log-in expired", "The keys were good once and have run out.", "Renew them; a role renews them by itself."
        ),
    ),
    (
        ("no AWS credentials", "for the log-in is not set"),
        PlainError(
            "no log-in given",
            "The worker was started without the log-in that the source needs.",
            "Give its process the role, profile or variable named here and start it again.",
        ),
    ),
    (
        ("may not be assumed", "is not allowed"),
        PlainError(
            "permission missing",
            "The log-in is accepted and may not do what was asked.",
            "Add the permission named here to its policy.",
        ),
    ),
    (
        ("throttled",),
        PlainError(
            "asked too often",
            "The provider slows us down, because we or somebody else ask very often.",
            "Find who else polls this region. A list that was missed is made up by the next one.",
        ),
    ),
    (
        ("did not answer within", "gave up or is overloaded", "will not evaluate the question", "sent more than"),
        PlainError(
            "too much at once",
            "The source is there and can't answer so large a question in time.",
            "Ask it for fewer nodes at a time (nodes_per_shard), or give it more time or memory.",
        ),
    ),
    (
        ("broke off", "cannot be read to its end", "AWS's XML"),
        PlainError(
            "answer cut short",
            "The answer came broken: something between us and the source changes or cuts it.",
            "Look at the proxy or load balancer in between.",
        ),
    ),
    (
        ("redirects to", "web page instead of JSON", "(404)", "does not speak", "no query result", "no usable address"),
        PlainError(
            "wrong address",
            "Something answers at that address, and it is not the metrics engine.",
            "Give the source the address whose /api/v1/query answers.",
        ),
    ),
    (
        (
            "does not understand the question",
            "is not a metric or label name",
            "option “",
            "no demo fleet",
            "has no pool",
        ),
        PlainError(
            "configured wrongly",
            "A name or an option of the source is not one that works.",
            "Correct it in the source's configuration, then collect the hours again.",
        ),
    ),
    (
        ("gave no answer 3 times in a row",),
        PlainError(
            "waiting for the source",
            "It failed three hours in a row, so it was asked no more in that run.",
            "See to the error before this one; the next run asks again.",
        ),
    ),
    (
        ("HTTP 5", "answered 200 with an error", "try again later"),
        PlainError(
            "fault on their side",
            "The source is there and failed by itself.",
            f"Look at its own log if it goes on. {_COMES_BY_ITSELF}",
        ),
    ),
    (
        (OVERTAKEN,),
        PlainError("overtaken", "Somebody read the hour later than this and that reading stands.", "Nothing."),
    ),
    (
        ("knows less of it", "this answer was partial"),
        PlainError(
            "kept what is known",
            "The hour is final, and the source now remembers less of it than the ledger does.",
            "Nothing, unless the new reading is the right one: then collect again and replace what stands.",
        ),
    ),
    (
        ("may not replace it",),
        PlainError(
            "another source's hour",
            "The hour was measured by another source, which keeps it.",
            "Keep it, or collect again and replace what stands.",
        ),
    ),
)
"""The kinds in the order they are looked for; each by words that its sentences hold."""

OTHER = PlainError(
    "not met before",
    "An error Moorage has no words of its own for: the source's sentence is all there is.",
    "Look it up in the source's own log at that time.",
)


def plain_error(sentence: str) -> PlainError:
    """The kind of error a source's sentence tells of."""
    return next((plain for words, plain in KINDS if any(word in sentence for word in words)), OTHER)


def kinds() -> Iterable[PlainError]:
    """Every kind there is."""
    return (*(plain for _, plain in KINDS), OTHER)
