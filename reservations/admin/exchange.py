from django.contrib import admin

from reservations.admin.read_only import HistoryAdmin
from reservations.models import ExchangeRate

admin.site.register(ExchangeRate.history.model, HistoryAdmin)


@admin.register(ExchangeRate)
class ExchangeRateAdmin(admin.ModelAdmin):
    list_display = ("source_currency", "target_currency", "day", "rate", "source", "entered_by")
    list_filter = ("source_currency", "target_currency")
    search_fields = ("source", "entered_by")
    date_hierarchy = "day"
