from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base

from config import embedded


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        embedded.start(settings.DATA_DIR, settings.EMBEDDED)
        return super().get_new_connection(conn_params)
