from django.urls import path

from scheduler.views.attention import attention, attention_sheet

app_name = "scheduler"
urlpatterns = [
    path("", attention, name="attention"),
    path("attention/<str:sheet>.<str:suffix>", attention_sheet, name="attention-sheet"),
]
