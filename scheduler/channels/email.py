"""E-mail through the mail server of the settings, in text and HTML."""

import contextlib
import smtplib
import socket
from collections.abc import Sequence
from email.utils import format_datetime

from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import sanitize_address
from django.core.validators import validate_email

from scheduler.domain.alert.message import Message, UnableToDeliver
from scheduler.domain.outside_address import Network

TIMEOUT_SECONDS = 15
"""Of each step of a conversation: a mail server that takes longer is not one that takes mail."""

DOMAIN = "alerts.moorage.invalid"
"""The right side of a Message-ID names no host; the left alone tells messages apart."""


def shown(address: str, networks: Sequence[Network]) -> str:
    """The address itself; UnableToDeliver for what is none."""
    try:
        validate_email(address)
    except ValidationError as error:
        raise UnableToDeliver("This is not an e-mail address: write it as team@example.com.", permanent=True) from error
    if len(address) > 120:
        raise UnableToDeliver("An e-mail address has 120 characters at most.", permanent=True)
    return address


def send(address: str, secret: str, message: Message, networks: Sequence[Network]) -> None:
    """Hand a message to the mail server, under the same Message-ID each time; UnableToDeliver where it is not taken."""
    mail = _mail(shown(address, networks), message)
    connection: BaseEmailBackend = get_connection(timeout=TIMEOUT_SECONDS)
    try:
        connection.open()
        connection.send_messages([mail])
    except smtplib.SMTPAuthenticationError as error:
        raise UnableToDeliver("The mail server refuses Moorage's log-in.", permanent=False) from error
    except smtplib.SMTPRecipientsRefused as error:
        code = max((code for code, _ in error.recipients.values()), default=0)
        raise UnableToDeliver(f"The mail server refuses this recipient ({code}).", permanent=code >= 500) from error
    except smtplib.SMTPResponseException as error:
        told = f"The mail server refuses the message ({error.smtp_code})."
        raise UnableToDeliver(told, permanent=error.smtp_code >= 500) from error
    except smtplib.SMTPServerDisconnected as error:
        said = "The mail server broke off before it took the message."
        raise UnableToDeliver(said, permanent=False) from error
    except TimeoutError as error:
        raise UnableToDeliver("The mail server did not answer in time.", permanent=False) from error
    except socket.gaierror as error:
        raise UnableToDeliver("The mail server's name cannot be resolved now.", permanent=False) from error
    except (OSError, smtplib.SMTPException) as error:
        raise UnableToDeliver("The mail server cannot be reached.", permanent=False) from error
    finally:
        with contextlib.suppress(OSError, smtplib.SMTPException):
            connection.close()  # the message is taken or it isn't: how they part changes nothing


def _mail(address: str, message: Message) -> EmailMultiAlternatives:
    headers = {
        "Message-ID": f"<{message.id}@{DOMAIN}>",
        "Date": format_datetime(message.sent_at),
        "Auto-Submitted": "auto-generated",
        "X-Moorage-Delivery": message.id,
    }
    subject = " ".join(message.subject.split())  # a line of its own would be a header of its own
    mail = EmailMultiAlternatives(subject, message.text, to=[sanitize_address(address, "utf-8")], headers=headers)
    if message.html:
        mail.attach_alternative(message.html, "text/html")
    return mail
