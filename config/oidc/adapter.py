"""What becomes of the provider's answer: believed when its ID token is signed, ours, fresh and of this log-in."""

import hashlib
import secrets
from typing import Any

import jwt
from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest

SIGNED_BY = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
"""Signatures made with a key that the provider alone has; a shared secret or none at all is no signature."""


def nonce_of(verifier: str) -> str:
    """What an ID token has to repeat: made of the code verifier, which is kept in the session and used once."""
    return hashlib.sha256(f"nonce:{verifier}".encode()).hexdigest()


class CheckedAdapter(OpenIDConnectOAuth2Adapter):
    _verifier = ""

    def get_access_token_data(
        self, request: HttpRequest, app: SocialApp, client: Any, pkce_code_verifier: str | None = None
    ) -> dict[str, Any]:
        self._verifier = pkce_code_verifier or ""
        return super().get_access_token_data(request, app, client, pkce_code_verifier=pkce_code_verifier)

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **given: Any) -> SocialLogin:
        """The log-in that an answer stands for; OAuth2Error, which ends it, for whatever is not as it should be."""
        told = self._claims(app, given["response"].get("id_token"))
        about = self._fetch_user_info(token.token)
        if about.get("sub") != told["sub"]:  # OpenID Connect Core 5.3.2
            raise OAuth2Error("the user info is of somebody else than the ID token")
        return self.get_provider().sociallogin_from_response(request, {"userinfo": about, "id_token": told})

    def _claims(self, app: SocialApp, id_token: object) -> dict[str, Any]:
        if not isinstance(id_token, str):
            raise OAuth2Error("the provider sent no ID token")
        try:
            if jwt.get_unverified_header(id_token).get("alg") not in SIGNED_BY:
                raise OAuth2Error("the ID token is not signed with a key of the provider's own")
            told = jwtkit.verify_and_decode(
                credential=id_token,
                keys_url=self.openid_config["jwks_uri"],
                issuer=self.openid_config["issuer"],
                audience=app.client_id,
                lookup_kid=jwtkit.lookup_kid_jwk,
            )
        except (jwt.PyJWTError, KeyError, TypeError, ValueError) as wrong:
            raise OAuth2Error("the ID token cannot be read") from wrong
        if not secrets.compare_digest(str(told.get("nonce", "")), nonce_of(self._verifier)) or "sub" not in told:
            raise OAuth2Error("the ID token is not of this log-in")
        return told
