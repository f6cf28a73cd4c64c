"""Types into a shell at a terminal and prints what it shows: press-tab.py FOLDER SHELL... < keys

Keys come as JSON: a list of texts, and for how many seconds the shell is quiet when it is done with each.
"""
import json, os, pty, select, sys, time

folder, argv = sys.argv[1], sys.argv[2:]
keys = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.chdir(folder)
    os.execvp(argv[0], argv)


def until_quiet(quiet, patience):
    shown, end, last = b"", time.time() + patience, time.time()
    while time.time() < end and time.time() - last < quiet:
        ready, _, _ = select.select([terminal], [], [], 0.1)
        if not ready:
            continue
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        shown, last = shown + more, time.time()
        # fish asks who the terminal is, and waits for it.
        if b"\x1b[c" in more:
            os.write(terminal, b"\x1b[?62;c")
        if b"\x1b[6n" in more:
            os.write(terminal, b"\x1b[1;1R")
    return shown


shown = until_quiet(2, 10)
for text, quiet in keys:
    os.write(terminal, text.encode())
    shown += until_quiet(quiet, 15)
os.close(terminal)
sys.stdout.buffer.write(shown)
