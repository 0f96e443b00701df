from urllib.parse import unquote

from django.urls import path, register_converter

from telemetry.views.data_health import data_health
from telemetry.views.fleet_month import fleet_month, fleet_now
from telemetry.views.health_sheets import health_sheet
from telemetry.views.more_figures import fleet_figures, fleet_money, fleet_week, pool_figures, pool_money
from telemetry.views.pool_hour import hour_sheet, pool_hour
from telemetry.views.pool_month import pool_month, pool_now
from telemetry.views.pool_summary import pool_summary
from telemetry.views.recollections import ask_recollection, cancel, recollection
from telemetry.views.sheets import fleet_sheet, pool_sheet


class PoolName:
    """A pool's name as one part of an address: a slash in it, and dots a browser would resolve, are escaped."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return unquote(value)

    def to_url(self, value: str) -> str:
        return value.replace(".", "%2E") if value in {".", ".."} else value.replace("%", "%25").replace("/", "%2F")


register_converter(PoolName, "pool")

app_name = "telemetry"
urlpatterns = [
    path("fleet/", fleet_now, name="fleet-now"),
    path("fleet/<str:month>/", fleet_month, name="fleet-month"),
    path("fleet/<str:month>/figures/", fleet_figures, name="fleet-figures"),
    path("fleet/<str:month>/figures/week/", fleet_week, name="fleet-week"),
    path("fleet/<str:month>/figures/money/", fleet_money, name="fleet-money"),
    path("fleet/<str:month>/<str:sheet>.<str:suffix>", fleet_sheet, name="fleet-sheet"),
    path("pools/<pool:name>/", pool_now, name="pool-now"),
    path("pools/<pool:name>/hours/<str:hour>/", pool_hour, name="pool-hour"),
    path("pools/<pool:name>/hours/<str:hour>/<str:sheet>.<str:suffix>", hour_sheet, name="hour-sheet"),
    path("pools/<pool:name>/<str:month>/", pool_month, name="pool-month"),
    path("pools/<pool:name>/<str:month>/summary/", pool_summary, name="pool-summary"),
    path("pools/<pool:name>/<str:month>/figures/", pool_figures, name="pool-figures"),
    path("pools/<pool:name>/<str:month>/figures/money/", pool_money, name="pool-money"),
    path("pools/<pool:name>/<str:month>/<str:sheet>.<str:suffix>", pool_sheet, name="pool-sheet"),
    path("health/data/", data_health, name="data-health"),
    path("health/data/recollections/", ask_recollection, name="recollections"),
    path("health/data/recollections/<int:number>/", recollection, name="recollection"),
    path("health/data/recollections/<int:number>/cancel/", cancel, name="recollection-cancel"),
    path("health/data/<str:sheet>.<str:suffix>", health_sheet, name="health-sheet"),
]
