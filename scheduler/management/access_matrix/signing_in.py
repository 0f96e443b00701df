"""Log-in, log-out, passwords and second factors."""

from scheduler.management.access_matrix.doors import Door, Reach

WITHOUT_A_LOG_IN = (
    "account_login", "account_logout", "account_inactive", "account_signup", "account_email_verification_sent",
    "account_confirm_login_code",
    "account_confirm_email", "account_reset_password", "account_reset_password_done", "account_reset_password_from_key",
    "account_reset_password_from_key_done", "mfa_authenticate", "socialaccount_login_cancelled",
    "socialaccount_login_error", "socialaccount_signup", "openid_connect_login", "openid_connect_callback",
    "social/login/cancelled/", "social/login/error/", "social/signup/",
)  # fmt: skip
OF_ONE_S_OWN = (
    "account_reauthenticate", "account_request_reauthentication_code", "account_confirm_reauthentication_code",
    "account_email", "account_change_password", "account_set_password", "mfa_index", "mfa_reauthenticate",
    "mfa_activate_totp", "mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes",
    "mfa_download_recovery_codes", "mfa_list_webauthn", "mfa_add_webauthn", "mfa_reauthenticate_webauthn",
    "socialaccount_connections", "social/connections/",
)  # fmt: skip

SIGNING_IN = (
    *(Door(name, "GET", Reach.ANYBODY) for name in WITHOUT_A_LOG_IN),
    *(Door(name, "GET", Reach.LOGGED_IN) for name in OF_ONE_S_OWN),
    Door("mfa_remove_webauthn", "POST", Reach.LOGGED_IN),
    Door("mfa_edit_webauthn", "POST", Reach.LOGGED_IN),
)
