"""What an assistive technology sees of a program, and does with it: session.py PROGRAM [WORD…] -- STEP…

Runs the program in a D-Bus session of its own and does each step, waiting up to 20 s for it:

    see|ROLE|NAME             an accessible of that role has that name
    describe|ROLE|NAME|TEXT   and that description
    focused|ROLE|NAME         it has the focus of the keyboard
    focusable|ROLE|NAME       it can have that
    absent|ROLE|NAME          there is none
    press|ROLE|NAME           does its first action

Roles are as AT-SPI writes them (`push button`, `image`). After each step it prints `ok STEP`; at the end the
tree. It ends the program and says what it does not find, with the tree that it has found.
"""

import os
import signal
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

PATIENCE = 20


def children(parent):
    for index in range(parent.get_child_count()):
        child = parent.get_child_at_index(index)
        if child is not None:
            yield child


def walk(parent, depth=0):
    yield parent, depth
    for child in children(parent):
        yield from walk(child, depth + 1)


def application(process):
    """The program's root; None as long as it is not there."""
    for child in children(Atspi.get_desktop(0)):
        if child.get_process_id() == process.pid:
            return child
    return None


def has(accessible, state):
    return accessible.get_state_set().contains(state)


def press(accessible):
    return accessible.get_n_actions() > 0 and accessible.do_action(0)


JUDGES = {
    "see": lambda found: True,
    "describe": lambda found, text: found.get_description() == text,
    "focused": lambda found: has(found, Atspi.StateType.FOCUSED),
    "focusable": lambda found: has(found, Atspi.StateType.FOCUSABLE),
    "press": press,
}


def done(process, words):
    """Whether the step could be done now."""
    verb, role, name, *rest = words
    root = application(process)
    if root is None:
        return False
    # What GTK tells meanwhile is heard of by a loop only: a cache would keep what was.
    root.clear_cache()
    found = [
        accessible
        for accessible, _ in walk(root)
        if accessible.get_role_name() == role and accessible.get_name() == name
    ]
    if verb == "absent":
        return not found
    return any(JUDGES[verb](accessible, *rest) for accessible in found)


def tree(process):
    root = application(process)
    if root is None:
        return "It is not in the tree."
    return "\n".join(
        f"{'  ' * depth}{found.get_role_name()} “{found.get_name()}” {found.get_description()}".rstrip()
        for found, depth in walk(root)
    )


def enter_session():
    """Starts this script again in a session, which ends with it."""
    if "VITRINE_SESSION" in os.environ:
        return
    # Threads of Swift's pools block signals, and so do the programs that they start: the session's
    # services could not be ended.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.environ["VITRINE_SESSION"] = "1"
    command = ["dbus-run-session", "--", sys.executable, *sys.argv]
    os.execvp(command[0], command)


def main():
    enter_session()
    split = sys.argv.index("--")
    steps = [step.split("|") for step in sys.argv[split + 1 :]]
    # The session's services chatter on standard error; what matters goes elsewhere.
    sys.stderr = sys.stdout
    process = subprocess.Popen(
        sys.argv[1:split], env={**os.environ, "GTK_A11Y": "atspi"}, stderr=subprocess.STDOUT
    )
    try:
        for words in steps:
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    if done(process, words):
                        break
                except GLib.Error:
                    pass  # it has changed while it was read
                if process.poll() is not None:
                    sys.exit(f"The program has ended with {process.returncode} before {words}.")
                if time.monotonic() > end:
                    sys.exit(f"Not so within {PATIENCE} s: {words}. The tree:\n{tree(process)}")
                time.sleep(0.05)
            print("ok", *words, flush=True)
        print(tree(process), flush=True)
    finally:
        process.kill()
        process.wait()


main()
