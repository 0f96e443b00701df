from django.urls import path

app_name = "telemetry"
urlpatterns: list[path] = []
