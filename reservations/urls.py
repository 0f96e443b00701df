from django.urls import path

from reservations.views.glossary import glossary
from reservations.views.me import me, menu
from reservations.views.saved_views import delete, saved_view, saved_views
from reservations.views.tokens import revoke, tokens

app_name = "reservations"
urlpatterns = [
    path("glossary/", glossary, name="glossary"),
    path("views/", saved_views, name="views"),
    path("views/<int:view_id>/", saved_view, name="view"),
    path("views/<int:view_id>/delete/", delete, name="view-delete"),
    path("me/", me, name="me"),
    path("me/menu/", menu, name="menu"),
    path("me/tokens/", tokens, name="tokens"),
    path("me/tokens/<int:token_id>/revoke/", revoke, name="token-revoke"),
]
