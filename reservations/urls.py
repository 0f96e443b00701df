from django.urls import path

from reservations.views.audit import audit, audit_event, audit_file, audit_pack
from reservations.views.commitments import commitments, commitments_file
from reservations.views.delegations import delegation_end, delegations
from reservations.views.glossary import glossary
from reservations.views.importing import importing, template
from reservations.views.manual_entry import edit, new
from reservations.views.me import me, menu
from reservations.views.mend import mend
from reservations.views.observations import observations
from reservations.views.price_book import prices, prices_sheet
from reservations.views.procurement import (
    procurement,
    procurement_draft,
    procurement_publish,
    procurement_version,
)
from reservations.views.reservation_actions import end, note, owner, void
from reservations.views.reservation_detail import reservation_detail
from reservations.views.reservation_list import reservation_list, reservation_sheet
from reservations.views.reservation_sheets import reservation_tables
from reservations.views.saved_views import delete, saved_view, saved_views
from reservations.views.service_tokens import programs, revoke_program
from reservations.views.timeline import timeline, timeline_sheet
from reservations.views.tokens import revoke, tokens

app_name = "reservations"
urlpatterns = [
    path("reservations/", reservation_list, name="list"),
    path("reservations/timeline/", timeline, name="timeline"),
    path("reservations/timeline/terms.<str:suffix>", timeline_sheet, name="terms"),
    path("reservations/new/", new, name="new"),
    path("reservations/import/", importing, name="import"),
    path("reservations/import/template.csv", template, name="template"),
    path("reservations/<int:pk>/", reservation_detail, name="detail"),
    path("reservations/<int:pk>/observations/", observations, name="observations"),
    path("reservations/<int:pk>/notes/", note, name="note"),
    path("reservations/<int:pk>/owner/", owner, name="owner"),
    path("reservations/<int:pk>/edit/", edit, name="edit"),
    path("reservations/<int:pk>/end/", end, name="end"),
    path("reservations/<int:pk>/void/", void, name="void"),
    path("reservations/<int:pk>/pool/", mend, name="mend"),
    path("reservations/<int:pk>/<str:sheet>.<str:suffix>", reservation_tables, name="tables"),
    path("reservations/<str:sheet>.<str:suffix>", reservation_sheet, name="sheet"),
    path("commitments/", commitments, name="commitments"),
    path("commitments/<str:sheet>.<str:suffix>", commitments_file, name="commitments-file"),
    path("prices/", prices, name="prices"),
    path("prices/<str:sheet>.<str:suffix>", prices_sheet, name="prices-sheet"),
    path("audit/", audit, name="audit"),
    path("audit/<int:sequence>/", audit_event, name="audit-event"),
    path("audit/trail.<str:suffix>", audit_file, name="audit-file"),
    path("audit/pack.zip", audit_pack, name="audit-pack"),
    path("procurement/", procurement, name="procurement"),
    path("procurement/draft/", procurement_draft, name="procurement-draft"),
    path("procurement/<int:version>/", procurement_version, name="procurement-version"),
    path("procurement/<int:version>/draft/", procurement_draft, name="procurement-draft-of"),
    path("procurement/<int:version>/publish/", procurement_publish, name="procurement-publish"),
    path("delegations/", delegations, name="delegations"),
    path("delegations/<int:delegation_id>/end/", delegation_end, name="delegation-end"),
    path("glossary/", glossary, name="glossary"),
    path("views/", saved_views, name="views"),
    path("views/<int:view_id>/", saved_view, name="view"),
    path("views/<int:view_id>/delete/", delete, name="view-delete"),
    path("me/", me, name="me"),
    path("me/menu/", menu, name="menu"),
    path("me/tokens/", tokens, name="tokens"),
    path("service-tokens/", programs, name="service-tokens"),
    path("service-tokens/<int:token_id>/revoke/", revoke_program, name="service-token-revoke"),
    path("me/tokens/<int:token_id>/revoke/", revoke, name="token-revoke"),
]
