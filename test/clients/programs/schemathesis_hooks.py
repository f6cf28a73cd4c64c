"""Hooks of Schemathesis: the account that it uses keeps its permissions and its API key."""

import json
import os
import uuid

import schemathesis

OWN = {os.environ["CHAT_USER_ID"], os.environ["CHAT_EMAIL"].lower()}
ENDANGERING = {"usersDeactivate", "usersEdit", "usersSetPassword"}
MAX_INT64 = 2**63 - 1
KEY = "idempotency_key"
used_keys = set()


@schemathesis.hook
def before_call(context, case, kwargs):
    """An account that deactivates itself or gives up its role cannot test anything afterwards."""
    endangers = case.operation.definition.raw.get("operationId") in ENDANGERING
    if endangers and str((case.path_parameters or {}).get("user_id")).lower() in OWN:
        case.path_parameters["user_id"] = 0
    if case.meta is None or case.meta.generation.mode != "positive":
        return
    # A repeated call returns what the first one created, even if it is deleted since.
    # Schemathesis takes a changed form with a file for an invalid one.
    body = None if case.media_type == "multipart/form-data" else case.body
    for fields, name in ((case.headers, "Idempotency-Key"), (body, KEY)):
        if not hasattr(fields, "get") or fields.get(name) is None:
            continue
        if str(fields[name]) in used_keys:
            fields[name] = uuid.uuid4().hex
        used_keys.add(str(fields[name]))


def is_json(value):
    try:
        return isinstance(value, str) and json.loads(value) is not None
    except ValueError:
        return False


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts. Four rules accept more than a schema can say in a form that generators understand."""
    body = case.body if isinstance(case.body, dict) else {}
    # Numbers after the last message are anchors of the newest message.
    anchor = body.get("anchor")
    is_far = isinstance(anchor, (int, float)) and abs(anchor) > MAX_INT64
    # Any value may be JSON text, as in forms: clients send {"num_before": "1"}. In a form, a number is text.
    is_text = case.media_type == "multipart/form-data" and isinstance(body.get(KEY), (int, float))
    # White space as JSON is no body, as some clients send it.
    is_blank = isinstance(case.body, (bytes, str)) and not case.body.strip()
    accepts_more = is_far or is_text or is_blank or any(is_json(value) for value in body.values())
    return not (accepts_more and type(failure).__name__ == "AcceptedNegativeData")
