"""Types into a shell at a terminal and prints what it shows: press-tab.py FOLDER SHELL... < keys

Keys come as JSON: a list of texts, and what the shell prints when it is done with each.
"""
import json, os, pty, select, sys, time

PATIENCE = 60
folder, argv = sys.argv[1], sys.argv[2:]
keys = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.chdir(folder)
    os.execvp(argv[0], argv)

shown = b""


def read():
    """Whether output arrived within a second."""
    global shown
    if not select.select([terminal], [], [], 1)[0]:
        return False
    try:
        more = os.read(terminal, 65536)
    except OSError:
        sys.stdout.buffer.write(shown)
        sys.exit()
    shown += more
    # fish requests the type of the terminal, and waits for the response.
    if b"\x1b[c" in more:
        os.write(terminal, b"\x1b[?62;c")
    if b"\x1b[6n" in more:
        os.write(terminal, b"\x1b[1;1R")
    return True


# The prompt.
while not shown or read():
    if not shown:
        read()
for text, sign in keys:
    before = shown.count(sign.encode())
    os.write(terminal, text.encode())
    end = time.time() + PATIENCE
    while shown.count(sign.encode()) == before and time.time() < end:
        read()
os.close(terminal)
sys.stdout.buffer.write(shown)
