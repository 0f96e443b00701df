"""The demo's log-ins: named after what one may do, not after anybody."""

from dataclasses import dataclass

PASSWORD = "moorage-demo"  # noqa: S105  (said aloud on purpose: the demo listens on 127.0.0.1 only) # nosec B105


@dataclass(frozen=True, slots=True)
class Login:
    """One log-in and what it is for."""

    name: str
    sees: str
    password: str = PASSWORD

    def __str__(self) -> str:
        return f"{self.name} / {self.password}: {self.sees}"


LOGINS: tuple[Login, ...] = (
    Login("admin", "everything"),
    Login("analyst", "every pool and its prices"),
    Login("operator", "every pool and its prices"),
    Login("approver", "every pool and its prices"),
    Login("approver-finance", "the same, and approves what one approver alone may not"),
    Login("buyer", "the same as the operator, and buys what others approved"),
    Login("auditor", "every pool and its prices"),
    Login("owner-serving", "the serving team's pool and its prices"),
    Login("owner-research", "the pools research owns or has queues on"),
    Login("owner-platform", "the pools platform owns or has queues on"),
    Login("viewer-research", "research's pools, without prices"),
)
