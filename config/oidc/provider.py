"""The provider as allauth knows it, with a nonce sent along."""

from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider

from config.oidc.adapter import CheckedAdapter, nonce_of


class CheckedProvider(OpenIDConnectProvider):
    oauth2_adapter_class = CheckedAdapter

    def get_pkce_params(self) -> dict[str, str]:
        """What goes to the provider besides, and the verifier that stays."""
        params = super().get_pkce_params()
        return {**params, "nonce": nonce_of(params["code_verifier"])}


provider_classes = [CheckedProvider]
