"""An adapter: `verify drive twophase` replays runs of the protocol on the participants of twophase.py.

    verify drive twophase -n 2 --restarts 1 --adapter "python3 participant.py"

It reads a step a line from the standard input, and answers with what the participant showed. The protocol plays the
coordinator. --bug plants a mistake: see BUGS.
"""

import argparse
import json
import sys

from twophase import Resource


class Silent(Resource):
    """It prepares, and does not tell the coordinator."""

    def alarm(self, kind):
        super().alarm(kind)
        return []


class Forgetful(Resource):
    """It keeps its state in memory, and loses it in a crash."""

    def __init__(self, disk):
        super().__init__({})


class GivesUp(Resource):
    """When it has prepared, it may still abort by itself."""

    def alarm(self, kind):
        sent = super().alarm(kind)
        if self.state == "prepared":
            self.alarms.add("rmChooseToAbort")
        return sent


BUGS = {"silent": Silent, "forgets": Forgetful, "gives-up": GivesUp}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bug", choices=sorted(BUGS))
    make = BUGS.get(parser.parse_args().bug, Resource)
    for line in sys.stdin:
        step = json.loads(line)
        if "run" in step:  # a new run: forget everything
            disks, nodes = {}, {}
            answer = {"nodes": [name for name in step["nodes"] if name != "tm"]}
        else:
            name, sent = step["node"], []
            if "start" in step:  # the disk survives a crash
                nodes[name] = make(disks.setdefault(name, {}))
                sent = nodes[name].start()
            elif "alarm" in step:
                sent = nodes[name].alarm(step["alarm"]["type"].split(".")[1])
            elif "receive" in step:
                sent = nodes[name].receive(step["receive"]["type"].split(".")[1])
            answer = {
                "send": [{"to": "tm", "type": kind} for kind in sent],
                "after": {"State": nodes[name].state},
                "alarms": [{"type": kind} for kind in sorted(nodes[name].alarms)],
            }
            if "crash" in step:
                del nodes[name]
                answer = {}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
