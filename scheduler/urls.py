from django.urls import path

from scheduler.views.attention import attention, attention_sheet
from scheduler.views.search import search

app_name = "scheduler"
urlpatterns = [
    path("", attention, name="attention"),
    path("attention/<str:sheet>.<str:suffix>", attention_sheet, name="attention-sheet"),
    path("search/", search, name="search"),
]
