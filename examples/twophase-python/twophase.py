"""Two-phase commit over TCP on loopback. Each node writes a log that `verify validate twophase` reads.

    python3 twophase.py --dir logs -n 3
    verify validate twophase -n 3 logs/*.log

A coordinator, tm, and participants, rm1 to rmN, are threads with a socket each. Only the standard library is used.
--bug plants a mistake: see BUGS.
"""

import argparse
import json
import os
import random
import socket
import threading

BUGS = {
    "early": "the coordinator commits when all participants but one have prepared",
    "mixed": "the coordinator tells the last participant to abort, and the others to commit",
    "gives-up": "a participant that has prepared aborts when no decision arrives for a while",
}


class Log:
    """The log of one node: an object a line, written at once."""

    def __init__(self, directory, node):
        self.node = node
        self.file = open(os.path.join(directory, node + ".log"), "w", buffering=1)

    def entry(self, **shown):
        self.file.write(json.dumps({"node": self.node, **shown}) + "\n")


def send(connection, kind):
    connection.sendall((json.dumps({"type": kind}) + "\n").encode())


class Resource:
    """What a participant does, without a network: each method returns the messages for the coordinator.

    The state is on disk, here a dictionary, because a participant must not forget that it has prepared."""

    def __init__(self, disk):
        self.disk, self.alarms = disk, set()

    @property
    def state(self):
        return self.disk.get("state", "working")

    def become(self, state):
        self.disk["state"], self.alarms = state, set()

    def start(self):
        if self.state == "working":
            self.alarms = {"rmPrepare", "rmChooseToAbort"}
        return ["Prepared"] if self.state == "prepared" else []

    def alarm(self, kind):
        self.become({"rmPrepare": "prepared", "rmChooseToAbort": "aborted"}[kind])
        return ["Prepared"] if self.state == "prepared" else []

    def receive(self, kind):
        self.become({"Commit": "committed", "Abort": "aborted"}[kind])
        return []


class Participant:
    def __init__(self, name, address, directory, prepares, patience):
        self.name, self.address, self.prepares, self.patience = name, address, prepares, patience
        self.log, self.resource = Log(directory, name), Resource({})

    def fire(self, kind, connection):
        sent = self.resource.alarm(kind)
        self.log.entry(alarm={"type": kind}, send=[{"to": "tm", "type": one} for one in sent], **self.shown())
        for one in sent:
            send(connection, one)

    def shown(self):
        return {"after": {"State": self.resource.state}}

    def run(self):
        self.log.entry(start=True)
        self.resource.start()
        with socket.create_connection(self.address) as connection:
            connection.sendall((self.name + "\n").encode())
            self.fire("rmPrepare" if self.prepares else "rmChooseToAbort", connection)
            lines = connection.makefile()
            if self.patience is not None:
                connection.settimeout(self.patience)
            try:
                line = lines.readline()
            except TimeoutError:
                self.fire("rmChooseToAbort", connection)
                return
            decision = json.loads(line)["type"]
            self.resource.receive(decision)
            self.log.entry(receive={"from": "tm", "type": decision}, **self.shown())


class Coordinator:
    def __init__(self, n, directory, bug):
        self.n, self.bug, self.log = n, bug, Log(directory, "tm")
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.lock, self.prepared, self.all = threading.Lock(), set(), threading.Event()
        self.needed = n - 1 if bug == "early" else n

    def listen(self, name, lines):
        for line in lines:
            with self.lock:
                self.log.entry(receive={"from": name, "type": json.loads(line)["type"]})
                self.prepared.add(name)
                if len(self.prepared) >= self.needed:
                    self.all.set()

    def run(self):
        self.log.entry(start=True)
        connections = {}
        for _ in range(self.n):
            connection, _ = self.socket.accept()
            lines = connection.makefile()
            name = lines.readline().strip()
            connections[name] = connection
            threading.Thread(target=self.listen, args=(name, lines), daemon=True).start()
        commits = self.all.wait(timeout=0.3)
        if self.bug == "gives-up":
            threading.Event().wait(0.3)
        with self.lock:
            kind = "Commit" if commits else "Abort"
            names = sorted(connections)
            kinds = {name: kind for name in names}
            if self.bug == "mixed":
                kinds[names[-1]] = "Abort"
            self.log.entry(
                alarm={"type": "tm" + kind},
                send=[{"to": name, "type": kinds[name]} for name in names],
                after={"State": "committed" if commits else "aborted"},
            )
            for name in names:
                try:
                    send(connections[name], kinds[name])
                except OSError:
                    pass  # the participant has gone


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dir", required=True)
    parser.add_argument("-n", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bug", choices=sorted(BUGS))
    args = parser.parse_args()
    draw = random.Random(args.seed)
    coordinator = Coordinator(args.n, args.dir, args.bug)
    address = coordinator.socket.getsockname()
    nodes = [coordinator]
    for i in range(args.n):
        prepares = draw.random() < 0.8
        if args.bug:
            prepares = args.bug != "early" or i < args.n - 1
        patience = 0.1 if args.bug == "gives-up" and i == 0 else None
        nodes.append(Participant(f"rm{i + 1}", address, args.dir, prepares, patience))
    threads = [threading.Thread(target=node.run) for node in nodes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
