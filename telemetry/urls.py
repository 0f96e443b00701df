from django.urls import path

from telemetry.views.data_health import data_health
from telemetry.views.month import month
from telemetry.views.usage_csv import usage_csv

app_name = "telemetry"
urlpatterns = [
    path("", month, name="month"),
    path("usage.csv", usage_csv, name="usage-csv"),
    path("health/data/", data_health, name="data-health"),
]
