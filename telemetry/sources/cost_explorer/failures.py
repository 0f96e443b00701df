"""What went wrong at Cost Explorer, in one sentence that names what to mend."""

from botocore.exceptions import ClientError, ConnectionError, HTTPClientError, NoCredentialsError, ReadTimeoutError
from botocore.parsers import ResponseParserError

from telemetry.sources.cost_explorer.wire import UnableToReadAnswer

FORBIDDEN = "{action} is not allowed ({code}): add it to the policy of who asks, or set cost_explorer to false"
EXPIRED = "the credentials have expired ({code}): renew them"
LATER = "Cost Explorer takes no more requests for now ({code}): try again later, each one costs money"

BY_CODE = {
    **dict.fromkeys(("AccessDenied", "AccessDeniedException", "UnauthorizedOperation"), FORBIDDEN),
    **dict.fromkeys(("ExpiredToken", "ExpiredTokenException", "RequestExpired"), EXPIRED),
    **dict.fromkeys(("LimitExceededException", "ThrottlingException", "Throttling"), LATER),
    "DataUnavailableException": (
        "Cost Explorer has no data for {action}: it is not enabled, was so for less than a day, or no such commitment "
        "was billed on these days"
    ),
    "UnrecognizedClientException": "AWS did not accept the credentials ({code}): check them",
}
SAID = "AWS answered {code} to {action}: {message}"
BY_TYPE: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    (NoCredentialsError, "there are no AWS credentials to ask {action} with: set them in the environment"),
    (ReadTimeoutError, "Cost Explorer did not answer {action} in time: try again later"),
    ((ConnectionError, HTTPClientError), "Cost Explorer cannot be reached for {action}: check the network"),
    ((ResponseParserError, UnableToReadAnswer), "{action} was answered with something that is not Cost Explorer's"),
)


def sentence(error: Exception, *, action: str, account: str) -> str:
    """The sentence for an anticipated error of one call; it begins with the account."""
    code, message = type(error).__name__, " ".join(str(error).split())
    if isinstance(error, ClientError):
        said = error.response.get("Error", {})
        code, message = str(said.get("Code") or "Unknown"), " ".join(str(said.get("Message") or "").split())
        template = BY_CODE.get(code, SAID)
    else:
        template = next((text for kinds, text in BY_TYPE if isinstance(error, kinds)), SAID)
    return f"{account}: {template.format(code=code, action=action, message=message)}"


def tries(error: Exception) -> int:
    """How many requests were answered with an error, as the client itself counted; 0 where nothing was answered."""
    if isinstance(error, ClientError):
        return 1 + int(error.response.get("ResponseMetadata", {}).get("RetryAttempts", 0))
    return 1 if isinstance(error, ResponseParserError) else 0
