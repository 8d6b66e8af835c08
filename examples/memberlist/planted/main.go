// Planted plants bugs in the library and in the code around it, one at a time. It measures how soon sampled
// schedules catch each bug:
//
//	go run ./planted                     all, in a table
//	go run ./planted left-kept           these
//
// The repository contains no code of the library but the few words that are replaced.
package main

import (
	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() { trial.Main(bugs) }

// library returns a bug in a file of the library.
func library(file, name, models, bounds, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: "github.com/hashicorp/memberlist", Edits: []plant.Edit{{File: file, Old: old, New: new}},
		Row: "members " + bounds}
}

// glue returns a mistake of the node. It is a variant of the protocol.
func glue(name, models, bounds string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Row: "members/" + name + " " + bounds}
}

const (
	none   = ""
	crash  = "-f 1"
	kill   = "--kills 1 --away 6000"
	soon   = "--kills 1 --away 3000" // back before it is forgotten
	young  = soon + " --updates 0"
	outage = "--outages 1"
	blinks = "--outages 3 --away 200"
	leave  = "--leaves 1 --away 8000"
	loss   = "--loss 4"
)

var bugs = []trial.Bug{
	library("state.go", "never-suspects", "a probe that fails has no consequence", crash, "\tm.suspectNode(&s)\n}\n\n// Ping", "\t_ = s\n}\n\n// Ping"),
	library("state.go", "never-dead", "the time-out of a suspicion does nothing", crash, "\t\t\tm.deadNode(d)\n", "\t\t\t_ = d\n"),
	library("state.go", "forgets-nobody", "the dead stay on the list", crash, "deadIdx := moveDeadNodes(m.nodes, m.config.GossipToTheDeadTime)", "deadIdx := len(m.nodes)"),
	library("util.go", "left-kept", "those that have left stay on the list (hashicorp/memberlist 253, up to v0.3.0)", leave,
		"if !nodes[i].DeadOrLeft() {", "if nodes[i].State != StateDead {"),
	library("state.go", "left-is-dead", "who has left is taken for dead", leave, "if d.Node == d.From {\n\t\tstate.State", "if d.Node != d.From {\n\t\tstate.State"),
	library("state.go", "left-is-merged-as-dead", "an exchange of lists makes those dead that have left", leave,
		"d := dead{Incarnation: r.Incarnation, Node: r.Name, From: r.Name}", "d := dead{Incarnation: r.Incarnation, Node: r.Name, From: m.config.Name}"),
	library("state.go", "refutes-not", "who is suspected does not refute it", blinks,
		"\t\tm.refute(state, s.Incarnation)\n\t\tm.logger.Printf(\"[WARN] memberlist: Refuting a suspect message (from: %s)\", s.From)\n", ""),
	library("state.go", "refutes-too-low", "a refutation has the incarnation of the accusation", soon, "inc = m.skipIncarnation(accusedInc - inc + 1)", "inc = m.skipIncarnation(accusedInc - inc)"),
	library("state.go", "refutes-in-silence", "a refutation is not broadcast", blinks, "\tm.encodeAndBroadcast(me.Addr.String(), aliveMsg, a)\n", "\t_ = a\n"),
	library("state.go", "late-timer", "the timer of a suspicion that is over kills", blinks, " && state.StateChange.Equal(changeTime)", ""),
	library("state.go", "alive-again", "an alive message of the same incarnation raises the dead", young, "a.Incarnation <= state.Incarnation && !isLocalNode", "a.Incarnation < state.Incarnation && !isLocalNode"),
	library("state.go", "old-suspicion", "a suspicion of an older incarnation counts", blinks, "if s.Incarnation < state.Incarnation {", "if s.Incarnation+1 < state.Incarnation {"),
	library("state.go", "old-death", "a death in an older incarnation counts", outage, "if d.Incarnation < state.Incarnation {", "if d.Incarnation+1 < state.Incarnation {"),
	library("memberlist.go", "update-unnumbered", "an update has the incarnation of the one before", none, "Incarnation: m.nextIncarnation(),\n\t\tNode:        m.config.Name,\n\t\tAddr:        state.Addr", "Incarnation: m.incarnation.Load(),\n\t\tNode:        m.config.Name,\n\t\tAddr:        state.Addr"),
	library("state.go", "meta-kept", "the meta data of a node that is known are not changed", none, "\t\tstate.Meta = a.Meta\n", ""),
	library("net.go", "pushes-only", "who is asked for its list gives it, and takes none", none, "m.mergeRemoteState(join, remoteNodes, userState)", "m.mergeRemoteState(join, remoteNodes[:0], userState)"),
	library("state.go", "gossips-nothing", "gossip is not sent", none, "\tfor _, node := range kNodes {\n\t\t// Get any", "\tfor _, node := range kNodes[:0] {\n\t\t// Get any"),
	library("memberlist.go", "meta-at-first", "a node that starts does not tell its meta data", leave, "Port:        uint16(port),\n\t\tMeta:        meta,", "Port:        uint16(port),"),
	library("state.go", "merges-no-alive", "an exchange of lists leaves out the living", none, "m.aliveNode(&a, nil, false)", "_ = a"),
	library("queue.go", "told-once", "a broadcast goes to one node only", none, "if keep.transmits+1 >= transmitLimit {", "if transmitLimit > 0 {"),

	glue("ignores-error", "a node says that it has joined whatever comes of it", "--refusals 2"),
	glue("leaves-in-silence", "a node that leaves does not tell", leave),
	glue("old-news", "a node tells what it told before", none),
	glue("one-stream", "a node takes one connection, and no other", kill),
	glue("deaf", "the transport hears no packets", none),
	glue("joins-itself", "instead of a node that has been lost a node joins itself", "--outages 1 --away 6000"),
}
