from django.urls import path

from reservations.views.tokens import revoke, tokens

app_name = "reservations"
urlpatterns = [
    path("me/tokens/", tokens, name="tokens"),
    path("me/tokens/<int:token_id>/revoke/", revoke, name="token-revoke"),
]
