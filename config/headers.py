"""What every answer tells a browser it may not do."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

NOTHING = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone", "payment", "usb")
OURS = ("publickey-credentials-create", "publickey-credentials-get")  # security keys
POLICY = ", ".join([*(f"{name}=()" for name in NOTHING), *(f"{name}=(self)" for name in OURS)])


class PermissionsPolicy:
    """Middleware: no page of ours asks for a camera, a place or a payment, and none put into one may."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", POLICY)
        return response
