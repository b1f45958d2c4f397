"""What every operation of the OpenAPI description has in common."""

from __future__ import annotations

from typing import Any

PROBLEMS = {
    "401": "The token is missing, unknown, expired or revoked.",
    "403": "The token lacks the scope, or the caller the role.",
    "404": "It does not exist, or the caller may not see it.",
    "422": "The input is not valid; `detail` and `errors` say what would be.",
    "429": "Too many requests; `Retry-After` says when to come back.",
}
SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "errors": {},
    },
}


def add_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe the errors that every operation can answer with."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = SCHEMA
    for path in result.get("paths", {}).values():
        for operation in path.values():
            if not isinstance(operation, dict) or "responses" not in operation:
                continue
            for status, text in PROBLEMS.items():
                operation["responses"].setdefault(
                    status,
                    {
                        "description": text,
                        "content": {
                            "application/problem+json": {
                                "schema": {"$ref": "#/components/schemas/Problem"}
                            }
                        },
                    },
                )
    return result
