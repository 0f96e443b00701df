"""Log-in at the organisation's OpenID Connect provider, with every check of its ID token that the standard asks for."""
