"""Hooks of Schemathesis: the account that it uses keeps its rights and its API key."""

import json
import os

import schemathesis

OWN = {os.environ["CHAT_USER_ID"], os.environ["CHAT_EMAIL"].lower()}
ENDANGERING = {"usersDeactivate", "usersEdit", "usersSetPassword"}
MAX_INT64 = 2**63 - 1


@schemathesis.hook
def before_call(context, case, kwargs):
    """An account that deactivates itself or gives up its role cannot test anything afterwards."""
    endangers = case.operation.definition.raw.get("operationId") in ENDANGERING
    if endangers and str((case.path_parameters or {}).get("user_id")).lower() in OWN:
        case.path_parameters["user_id"] = 0


def is_json(value):
    try:
        return isinstance(value, str) and json.loads(value) is not None
    except ValueError:
        return False


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts. Two rules accept more than a schema can say in a form that generators understand."""
    body = case.body if isinstance(case.body, dict) else {}
    # Numbers after the last message are anchors of the newest message.
    anchor = body.get("anchor")
    is_far = isinstance(anchor, (int, float)) and abs(anchor) > MAX_INT64
    # Any value may be JSON text, as in forms: clients send {"num_before": "1"}.
    accepts_more = is_far or any(is_json(value) for value in body.values())
    return not (accepts_more and type(failure).__name__ == "AcceptedNegativeData")
