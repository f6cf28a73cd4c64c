"""Uses the Python client that openapi-generator has created, in the given folder."""

import importlib
import os
import pkgutil
import sys

sys.path.insert(0, sys.argv[1])

import chat_client
from chat_client import MessagesSendRequest, MessagesSendRequestTo
from chat_client.api import MessagesApi, UploadsApi, UsersApi
from chat_client.exceptions import BadRequestException

for module in pkgutil.walk_packages(chat_client.__path__, "chat_client."):
    importlib.import_module(module.name)

configuration = chat_client.Configuration(
    host=os.environ["CHAT_URL"] + "/api/v1",
    username=os.environ["CHAT_EMAIL"],
    password=os.environ["CHAT_KEY"],
)
client = chat_client.ApiClient(configuration)
messages, users, uploads = MessagesApi(client), UsersApi(client), UploadsApi(client)


def message(to, content):
    return MessagesSendRequest(type="stream", to=MessagesSendRequestTo(to), topic="generated", content=content)


sent = messages.messages_send(message("Verona", "From Python"))
read = messages.messages_list(anchor=str(sent.id), num_before=0, num_after=0, apply_markdown=False)
assert [each.content for each in read.messages] == ["From Python"], read
user = users.users_list().members[0]
assert users.users_get(user.user_id).user.full_name == user.full_name
assert uploads.uploads_send(("note.txt", b"A note")).url.endswith("note.txt")
try:
    messages.messages_send(message("Nowhere", "x"))
    sys.exit("An unknown channel was accepted.")
except BadRequestException as error:
    assert error.data.code == "STREAM_DOES_NOT_EXIST", error
