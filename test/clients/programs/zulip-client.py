"""A program that uses the package `zulip`, from its zuliprc on."""

import io
import sys
import threading

import zulip

client = zulip.Client(config_file=sys.argv[1])


def done(answer):
    assert answer["result"] == "success", answer
    return answer


done(client.get_server_settings())
me = done(client.get_profile())
members = done(client.get_members())["members"]
assert me["user_id"] in [member["user_id"] for member in members]
done(client.add_subscriptions(streams=[{"name": "Verona"}]))
queue = done(client.register(event_types=["message"]))
message = {"type": "stream", "to": "Verona", "topic": "python", "content": "From a program"}
sent = done(client.send_message(message))
events = done(client.get_events(queue_id=queue["queue_id"], last_event_id=queue["last_event_id"]))["events"]
assert events[0]["message"]["id"] == sent["id"], events
window = {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": [["stream", "Verona"]]}
assert done(client.get_messages(window))["messages"][-1]["id"] == sent["id"]
done(client.update_message({"message_id": sent["id"], "content": "Edited"}))
done(client.add_reaction({"message_id": sent["id"], "emoji_name": "tada"}))
note = io.BytesIO(b"A note")
note.name = "note.txt"
assert done(client.upload_file(note))["uri"].endswith("note.txt")

arrived = threading.Event()
listening = threading.Event()


def listen():
    original = client.register

    def register(*args, **kwargs):
        answer = original(*args, **kwargs)
        listening.set()
        return answer

    client.register = register
    client.call_on_each_message(lambda each: arrived.set() if each["content"] == "Listen" else None)


threading.Thread(target=listen, daemon=True).start()
assert listening.wait(60)
sender = zulip.Client(config_file=sys.argv[1])
done(sender.send_message({**message, "content": "Listen"}))
assert arrived.wait(60), "no message arrived"
