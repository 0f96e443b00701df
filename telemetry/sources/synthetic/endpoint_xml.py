"""Answers in XML, written from botocore's own output shapes, so that they are right by construction."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring  # nosec B405

import botocore.session

REQUEST_ID = "00000000-0000-4000-8000-000000000000"


@lru_cache(maxsize=2)
def service_model(service: str) -> Any:
    """Botocore's description of a service."""
    return botocore.session.get_session().get_service_model(service)


def answer_xml(service: str, action: str, content: Mapping[str, Any]) -> bytes:
    """The body of a successful answer; a member the shape does not know is a KeyError, as it would never arrive."""
    shape = service_model(service).operation_model(action).output_shape
    namespace = service_model(service).metadata["xmlNamespace"]
    root = Element(f"{action}Response", {"xmlns": namespace})
    if service == "ec2":
        SubElement(root, "requestId").text = REQUEST_ID
        _members(root, shape, content)
    else:
        _members(SubElement(root, shape.serialization["resultWrapper"]), shape, content)
        SubElement(SubElement(root, "ResponseMetadata"), "RequestId").text = REQUEST_ID
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))


def error_xml(service: str, code: str, message: str) -> bytes:
    """The body of an error, as the service writes it."""
    if service == "ec2":
        root = Element("Response")
        error = SubElement(SubElement(root, "Errors"), "Error")
        SubElement(root, "RequestID").text = REQUEST_ID
    else:
        root = Element("ErrorResponse")
        error = SubElement(root, "Error")
        SubElement(root, "RequestId").text = REQUEST_ID
    SubElement(error, "Code").text = code
    SubElement(error, "Message").text = message
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))


def _members(parent: Element, shape: Any, content: Mapping[str, Any]) -> None:
    for name, value in content.items():
        if value is not None:
            member = shape.members[name]
            _value(SubElement(parent, member.serialization.get("name", name)), member, value)


def _value(element: Element, shape: Any, value: Any) -> None:
    if shape.type_name == "structure":
        _members(element, shape, value)
    elif shape.type_name == "list":
        for one in value:
            _value(SubElement(element, shape.member.serialization.get("name", "member")), shape.member, one)
    elif isinstance(value, datetime):
        element.text = _instant(value)
    else:
        element.text = str(value).lower() if isinstance(value, bool) else str(value)


def _instant(at: datetime) -> str:
    """ISO 8601; what has no zone is written without one, as some stand-ins for EC2 do."""
    if at.tzinfo is None:
        return at.isoformat(timespec="milliseconds")
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
