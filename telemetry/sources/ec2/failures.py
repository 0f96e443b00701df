"""What went wrong at AWS, in one sentence that names what to mend."""

from dataclasses import dataclass

from botocore.exceptions import (
    ClientError,
    ConnectionError,
    CredentialRetrievalError,
    HTTPClientError,
    NoCredentialsError,
    PartialCredentialsError,
    ReadTimeoutError,
)
from botocore.parsers import ResponseParserError

from telemetry.domain.sweep import RegionQuestion
from telemetry.sources.ec2.clients import READ_TIMEOUT_SECONDS, UnableToMakeClient, sts_endpoint


class UnableToReadAnswer(Exception):
    """The answer is not EC2's."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The provider's own code, or the exception's name, and one sentence."""

    code: str
    sentence: str


REFUSED = (
    "AWS did not accept the credentials ({code}): check them, and that {region} is enabled for account {account_id}"
)
FORBIDDEN = "{action} is not allowed ({code}): add it to the policy of {who}"
EXPIRED = "the credentials have expired ({code}): renew them"
THROTTLED = "AWS throttled {action} {tries} ({code}): poll less often, or find who else polls this region"

BY_CODE = {
    **dict.fromkeys(("AuthFailure", "OptInRequired", "InvalidClientTokenId", "UnrecognizedClientException"), REFUSED),
    **dict.fromkeys(("UnauthorizedOperation", "AccessDenied", "AccessDeniedException"), FORBIDDEN),
    **dict.fromkeys(("ExpiredToken", "ExpiredTokenException", "RequestExpired"), EXPIRED),
    **dict.fromkeys(("RequestLimitExceeded", "Throttling", "ThrottlingException", "RequestThrottled"), THROTTLED),
    "SignatureDoesNotMatch": "the signature does not match: check the secret key and this machine's clock",
}
ASSUMING = (
    "{role_arn} may not be assumed ({code}): check its trust policy, external_id and the sts:AssumeRole of {caller}"
)
UNREADABLE = "{endpoint} answered something that is not AWS's XML: check endpoint_url and what stands in between"
SAID = "AWS answered {code} to {action}: {message}"

BY_TYPE: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    ((NoCredentialsError, PartialCredentialsError, CredentialRetrievalError),
     "there are no AWS credentials to ask with: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile"),
    (ReadTimeoutError, "{endpoint} did not answer within {timeout} s: try again later"),
    ((ConnectionError, HTTPClientError), "{endpoint} cannot be reached: check region, endpoint_url and network"),
    ((ResponseParserError, UnableToReadAnswer), UNREADABLE),
    (UnableToMakeClient, "{message}: begin endpoint_url with http:// or https://"),
)  # fmt: skip


def failure(error: Exception, *, action: str, question: RegionQuestion) -> Failure:
    """The sentence for an anticipated error of one call; it begins with the account and the region."""
    code, message = _code(error)
    template = _template(error, code, action)
    sentence = template.format(
        code=code,
        message=message,
        action=action,
        region=question.region,
        account_id=question.account_id,
        role_arn=question.role_arn,
        who=question.role_arn or "these credentials",
        caller="the credentials in use",
        endpoint=_endpoint(action, question),
        timeout=READ_TIMEOUT_SECONDS,
        tries=_tries(error),
    )
    return Failure(code, f"{question.account} in {question.region}: {sentence}")


def _endpoint(action: str, question: RegionQuestion) -> str:
    if action.startswith("sts:"):
        return sts_endpoint(question) or f"STS in {question.region}"
    return question.endpoint_url or f"EC2 in {question.region}"


def _tries(error: Exception) -> str:
    """How often it was asked, as the client itself counted."""
    said = error.response.get("ResponseMetadata", {}) if isinstance(error, ClientError) else {}
    tries = 1 + int(said.get("RetryAttempts", 0))
    return "once" if tries == 1 else f"{tries} times"


def _code(error: Exception) -> tuple[str, str]:
    if isinstance(error, ClientError):
        said = error.response.get("Error", {})
        return str(said.get("Code") or "Unknown"), " ".join(str(said.get("Message") or "").split())
    return type(error).__name__, " ".join(str(error).split())


def _template(error: Exception, code: str, action: str) -> str:
    if isinstance(error, ClientError):
        if code == "Unknown":
            return UNREADABLE
        if code.isdigit():
            return "{endpoint} answered HTTP {code} ({message}), {tries}: try again later"
        return ASSUMING if action == "sts:AssumeRole" and BY_CODE.get(code) == FORBIDDEN else BY_CODE.get(code, SAID)
    for kinds, template in BY_TYPE:
        if isinstance(error, kinds):
            return template
    return "{action} failed ({code}): {message}"
