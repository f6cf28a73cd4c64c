"""Starts zulip-term, writes a message in it, and reads on its screen the message of another account."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import pyte
import zulip

COLUMNS, LINES = 160, 45
program, own, other = sys.argv[1:]
beside = zulip.Client(config_file=other)
screen = pyte.Screen(COLUMNS, LINES)
stream = pyte.ByteStream(screen)

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execv(program, [program, "--config-file", own])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))


def until(what, condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"After a minute: not {what}.\n" + "\n".join(screen.display))
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                stream.feed(os.read(terminal, 65536))
            except OSError:
                sys.exit("zulip-term ended.\n" + "\n".join(screen.display))


def shows(text):
    return lambda: any(text in line for line in screen.display)


def done(answer):
    assert answer["result"] == "success", answer
    return answer


def unread():
    """The unread count of the channel in the list on the left."""
    counts = [re.search(r"# Verona\s+(\d+)", line) for line in screen.display]
    return next((int(count[1]) for count in counts if count), 0)


until("started", shows("All messages"))
until("shown the channels", shows("# Verona"))
before = unread()
done(beside.send_message({"type": "stream", "to": "Verona", "topic": "terminal", "content": "A parrot arrives"}))
until("counted a message that arrives", lambda: unread() > before)


def press(keys):
    os.write(terminal, keys.encode())


def sent():
    window = {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": [["topic", "keys"]], "apply_markdown": False}
    return [each["content"] for each in done(beside.get_messages(window))["messages"]]


# "c" opens the fields of a message to a channel, Tab goes to the next one, and Ctrl-D sends.
press("c")
until("opened the fields", shows("Stream"))
press("Verona\t")
press("keys\t")
press("Typed in a terminal")
until("shown the typed text", shows("Typed in a terminal"))
press("\x04")
until("sent the typed message", lambda: sent() == ["Typed in a terminal"])
# Alt and "." opens the topic, with the fields still open.
press("\x1b.")
until("opened the topic", shows("Iago"))
done(beside.send_message({"type": "stream", "to": "Verona", "topic": "keys", "content": "An answer arrives"}))
until("shown the answer", shows("An answer arrives"))
os.kill(pid, 9)
