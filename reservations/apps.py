from django.apps import AppConfig


class ReservationsConfig(AppConfig):
    name = "reservations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from reservations.services.audit.sign_in import hear_sign_ins

        hear_sign_ins()
