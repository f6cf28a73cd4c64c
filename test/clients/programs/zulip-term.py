"""Starts zulip-term, and reads on its screen that a message of another account has arrived."""

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
    """The number beside the channel in the list on the left."""
    counts = [re.search(r"# Verona\s+(\d+)", line) for line in screen.display]
    return next((int(count[1]) for count in counts if count), 0)


until("started", shows("All messages"))
until("shown the channels", shows("# Verona"))
before = unread()
done(beside.send_message({"type": "stream", "to": "Verona", "topic": "terminal", "content": "A parrot arrives"}))
until("counted a message that arrives", lambda: unread() > before)
os.kill(pid, 9)
