from django.urls import path

from scheduler.views.alerts.deliveries import deliveries, deliveries_download
from scheduler.views.alerts.detail import alert, move_alert
from scheduler.views.alerts.inbox import alerts_download, inbox
from scheduler.views.alerts.moves import move_alerts
from scheduler.views.alerts.parts import alerts_of, open_alerts
from scheduler.views.alerts.routes import forget_route, notifications, route, team_routes, try_route
from scheduler.views.alerts.rules import alert_rules, set_rule_threshold
from scheduler.views.allocator import allocator, allocator_scenario, allocator_sheet
from scheduler.views.allocator_benchmark import allocator_benchmark, allocator_measured
from scheduler.views.allocator_full import ask_full, cancel_full, full_progress
from scheduler.views.allocator_scenarios import forget, new_scenario
from scheduler.views.attention import attention, attention_sheet
from scheduler.views.back_test import back_test, back_test_download
from scheduler.views.block_clock import block_clock, block_clock_download
from scheduler.views.calendar import calendar, calendar_feed, feed_revoke, feeds
from scheduler.views.exceptions.beginning import new as new_exception
from scheduler.views.exceptions.case import exception, exception_file
from scheduler.views.exceptions.listing import exceptions, exceptions_download, waiting_count
from scheduler.views.exceptions.moves import move_exception
from scheduler.views.exceptions.numbers import numbers as exception_numbers
from scheduler.views.exceptions.outcomes import exception_outcome, exception_purchases, purchases_download
from scheduler.views.exceptions.previewing import preview as exception_preview
from scheduler.views.exceptions.previewing import submit as submit_exception
from scheduler.views.exceptions.writing import autosave as autosave_exception
from scheduler.views.exceptions.writing import draft as exception_draft
from scheduler.views.exceptions.writing import questions as exception_questions
from scheduler.views.recommendation_actions import decide
from scheduler.views.recommendations import recommendation, recommendations, recommendations_download
from scheduler.views.renewal_actions import move as move_renewal
from scheduler.views.renewals import renewal, renewals, renewals_download
from scheduler.views.replay import ask_replay, cancel_replay, replay, replay_download, replay_progress
from scheduler.views.search import search
from scheduler.views.sizing import sizing, sizing_download

app_name = "scheduler"
urlpatterns = [
    path("", attention, name="attention"),
    path("attention/<str:sheet>.<str:suffix>", attention_sheet, name="attention-sheet"),
    path("search/", search, name="search"),
    path("blocks/<int:pk>/clock/", block_clock, name="block-clock"),
    path("blocks/<int:pk>/clock/<str:sheet>.<str:suffix>", block_clock_download, name="block-clock-sheet"),
    path("sizing/", sizing, name="sizing"),
    path("sizing/replay/", replay, name="replay"),
    path("sizing/replay/sizes.<str:suffix>", replay_download, name="replay-sheet"),
    path("sizing/replay/progress/", replay_progress, name="replay-progress"),
    path("sizing/replay/ask/", ask_replay, name="replay-ask"),
    path("sizing/replay/cancel/", cancel_replay, name="replay-cancel"),
    path("sizing/<str:sheet>.<str:suffix>", sizing_download, name="sizing-sheet"),
    path("recommendations/", recommendations, name="recommendations"),
    path("recommendations/recommendations.<str:suffix>", recommendations_download, name="recommendations-sheet"),
    path("recommendations/back-test/", back_test, name="back-test"),
    path("recommendations/back-test/months.<str:suffix>", back_test_download, name="back-test-sheet"),
    path("recommendations/<int:pk>/", recommendation, name="recommendation"),
    path("recommendations/<int:pk>/<slug:move>/", decide, name="recommendation-decide"),
    path("alerts/", inbox, name="alerts"),
    path("alerts/alerts.<str:suffix>", alerts_download, name="alerts-sheet"),
    path("alerts/move/", move_alerts, name="alerts-move"),
    path("alerts/open/", open_alerts, name="alerts-open"),
    path("alerts/of/", alerts_of, name="alerts-of"),
    path("alerts/rules/", alert_rules, name="alert-rules"),
    path("alerts/rules/<slug:rule>/", set_rule_threshold, name="alert-rule"),
    path("alerts/routes/", team_routes, name="alert-routes"),
    path("alerts/routes/<int:pk>/", route, name="alert-route"),
    path("alerts/routes/<int:pk>/test/", try_route, name="alert-route-test"),
    path("alerts/routes/<int:pk>/remove/", forget_route, name="alert-route-remove"),
    path("alerts/deliveries/", deliveries, name="alert-deliveries"),
    path("alerts/deliveries/deliveries.<str:suffix>", deliveries_download, name="alert-deliveries-sheet"),
    path("me/notifications/", notifications, name="notifications"),
    path("alerts/<int:pk>/", alert, name="alert"),
    path("alerts/<int:pk>/<slug:move>/", move_alert, name="alert-move"),
    path("renewals/", renewals, name="renewals"),
    path("renewals/renewals.<str:suffix>", renewals_download, name="renewals-sheet"),
    path("renewals/<int:pk>/", renewal, name="renewal"),
    path("renewals/<int:pk>/<slug:move>/", move_renewal, name="renewal-move"),
    path("exceptions/", exceptions, name="exceptions"),
    path("exceptions/exceptions.<str:suffix>", exceptions_download, name="exceptions-sheet"),
    path("exceptions/waiting/", waiting_count, name="exceptions-waiting"),
    path("exceptions/questions/", exception_questions, name="exception-questions"),
    path("exceptions/purchases/", exception_purchases, name="exception-purchases"),
    path("exceptions/purchases.<str:suffix>", purchases_download, name="exception-purchases-sheet"),
    path("exceptions/new/", new_exception, name="exception-new"),
    path("exceptions/<int:pk>/", exception, name="exception"),
    path("exceptions/<int:pk>/draft/", exception_draft, name="exception-draft"),
    path("exceptions/<int:pk>/autosave/", autosave_exception, name="exception-autosave"),
    path("exceptions/<int:pk>/numbers/", exception_numbers, name="exception-numbers"),
    path("exceptions/<int:pk>/outcome/", exception_outcome, name="exception-outcome"),
    path("exceptions/<int:pk>/preview/", exception_preview, name="exception-preview"),
    path("exceptions/<int:pk>/submit/", submit_exception, name="exception-submit"),
    path("exceptions/<int:pk>/files/<int:file_id>/", exception_file, name="exception-file"),
    path("exceptions/<int:pk>/<slug:move>/", move_exception, name="exception-move"),
    path("calendar/", calendar, name="calendar"),
    path("calendar/feeds/", feeds, name="calendar-feeds"),
    path("calendar/feeds/<int:feed_id>/revoke/", feed_revoke, name="calendar-feed-revoke"),
    path("calendar/<str:secret>.ics", calendar_feed, name="calendar-feed"),
    path("allocator/", allocator, name="allocator"),
    path("allocator/scenario.json", allocator_scenario, name="allocator-scenario"),
    path("allocator/benchmark/", allocator_benchmark, name="allocator-benchmark"),
    path("allocator/benchmark/figures.<str:suffix>", allocator_measured, name="allocator-measured"),
    path("allocator/<str:sheet>.<str:suffix>", allocator_sheet, name="allocator-sheet"),
    path("allocator/full/", full_progress, name="allocator-full"),
    path("allocator/full/ask/", ask_full, name="allocator-full-ask"),
    path("allocator/full/cancel/", cancel_full, name="allocator-full-cancel"),
    path("allocator/scenarios/new/", new_scenario, name="allocator-new"),
    path("allocator/scenarios/<str:key>/forget/", forget, name="allocator-forget"),
]
