"""Answers the prompts of a program at a terminal: answer-questions.py PROGRAM... < steps

Steps come as JSON: a list of texts to wait for, and the keys that are typed then. Prints as JSON what the terminal
shows, whether it shows what is typed (echo) and waits for whole lines (canonical) afterwards, and the exit code.
"""
import json, os, pty, select, sys, termios, time

steps = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])

shown = b""


def until(text, patience=60):
    global shown
    end = time.time() + patience
    while time.time() < end and (text is None or text.encode() not in shown):
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            more = os.read(terminal, 65536)
        except OSError:
            return
        if not more:
            return
        shown += more


for text, keys in steps:
    until(text)
    os.write(terminal, keys.encode())
until(None, 60)
local = termios.tcgetattr(terminal)[3]
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
json.dump(
    {
        "shown": shown.decode(),
        "echo": bool(local & termios.ECHO),
        "canonical": bool(local & termios.ICANON),
        "exit": status,
    },
    sys.stdout,
)
