"""How a request proves who asks: a token, a password, or an Amazon signature; secrets come from the environment."""

import os
from functools import lru_cache
from typing import Any

import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import BotoCoreError
from botocore.session import Session
from requests.auth import AuthBase, HTTPBasicAuth

from telemetry.domain.sample import UnableToFetch
from telemetry.sources.prometheus.names import Access


class BearerToken(AuthBase):
    """Sends a token with every request."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class AmazonSignature(AuthBase):
    """Signs every request as Amazon Managed Service for Prometheus asks (SigV4, service ``aps``)."""

    def __init__(self, region: str, service: str) -> None:
        self._region = region
        self._service = service

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        try:
            credentials = _aws_credentials()
            frozen = credentials.get_frozen_credentials() if credentials else None
        except BotoCoreError as error:
            raise UnableToFetch(f"no AWS credentials to sign with: {error}") from error
        if frozen is None:
            raise UnableToFetch("no AWS credentials to sign with: give this process a role or a profile")
        headers = {"Content-Type": request.headers.get("Content-Type", "")}
        signed = AWSRequest(method=request.method, url=request.url, data=request.body, headers=headers)
        SigV4Auth(frozen, self._service, self._region).add_auth(signed)
        request.headers.update(dict(signed.headers))
        return request


def login(access: Access) -> AuthBase | None:
    """The one way to log in that was configured, None for none; UnableToFetch where a variable is not set."""
    if access.sigv4_region:
        return AmazonSignature(access.sigv4_region, access.sigv4_service)
    if access.bearer_token_env:
        return BearerToken(_secret(access.bearer_token_env))
    if access.username_env or access.password_env:
        return HTTPBasicAuth(_secret(access.username_env), _secret(access.password_env))
    return None


def _secret(variable: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise UnableToFetch(f"environment variable “{variable}” for the log-in is not set", permanent=True)
    return value


@lru_cache(maxsize=1)
def _aws_credentials() -> Any:
    return Session().get_credentials()
