"""Uses the client that openapi-python-client has created, in the folder `client` of the given folder."""

import base64
import importlib
import io
import os
import pkgutil
import sys

sys.path.insert(0, sys.argv[1])

import client as generated
from client import AuthenticatedClient
from client.api.messages import messages_list, messages_send
from client.api.uploads import uploads_send
from client.api.users import users_get, users_list, users_me
from client.models import MessagesSendBody, MessagesSendBodyType, UploadsSendBody
from client.types import File

for module in pkgutil.walk_packages(generated.__path__, "client."):
    importlib.import_module(module.name)

login = f"{os.environ['CHAT_EMAIL']}:{os.environ['CHAT_KEY']}"
client = AuthenticatedClient(
    base_url=os.environ["CHAT_URL"] + "/api/v1",
    token=base64.b64encode(login.encode()).decode(),
    prefix="Basic",
    raise_on_unexpected_status=True,
)

STREAM = MessagesSendBodyType("stream")
message = MessagesSendBody(type_=STREAM, to="Verona", topic="generated", content="From openapi-python-client")
sent = messages_send.sync(client=client, body=message)
read = messages_list.sync(client=client, anchor=str(sent.id), num_before=0, num_after=0, apply_markdown=False)
assert read.messages[0].id == sent.id and read.messages[0].content == message.content, read
direct = MessagesSendBody(type_=MessagesSendBodyType("direct"), to=[users_me.sync(client=client).user_id], content="y")
assert messages_send.sync(client=client, body=direct).id > sent.id
users = users_list.sync(client=client).members
assert users_get.sync(client=client, user_id=users[0].user_id).user.full_name == users[0].full_name
note = File(payload=io.BytesIO(b"A note"), file_name="note.txt", mime_type="text/plain")
assert uploads_send.sync(client=client, body=UploadsSendBody(file=note)).url.endswith("note.txt")
refused = messages_send.sync(client=client, body=MessagesSendBody(type_=STREAM, to="Nowhere", topic="x", content="y"))
assert refused.code == "STREAM_DOES_NOT_EXIST", refused
