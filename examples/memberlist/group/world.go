package group

import (
	"fmt"
	"maps"
	"strings"

	"contend/model"
)

// An entry is a node's entry for another node, or for itself.
type entry struct {
	State       string // alive, suspect, dead, left or unknown
	Incarnation int
	Meta        string
}

// has reports whether the listed node is a member.
func (e entry) has() bool { return e.State == "alive" || e.State == "suspect" }

// gone reports whether the listed node was a member.
func (e entry) gone() bool { return e.State == "dead" || e.State == "left" }

// A pair is a node that lists another.
type pair struct{ By, Of model.NodeID }

// A world is the actual state of the group, and the nodes' lists.
type world struct {
	N       int
	Down    map[model.NodeID]bool         // it has crashed, or was killed
	Away    map[model.NodeID]bool         // it leaves, or has left
	Left    map[model.NodeID]bool         // it has said that it leaves
	Cut     map[model.NodeID]bool         // its cable is pulled
	Meta    map[model.NodeID]string       // the metadata that it announced last
	Calls   map[model.NodeID]string       // the call that it is making
	Joins   map[model.NodeID]model.NodeID // the node that it is joining, while neither comes or goes
	Met     map[pair]bool                 // the first has joined the second, and neither has joined or left since
	Lists   lists
	Again   map[model.NodeID]bool // it has started more than once
	Trouble bool                  // somebody has crashed, or was cut off
	Moved   bool                  // somebody has left
}

// lists are the entries of all nodes' lists.
type lists map[pair]entry

func newWorld(s *model.System) world {
	return world{s.Config.N, map[model.NodeID]bool{}, map[model.NodeID]bool{}, map[model.NodeID]bool{}, map[model.NodeID]bool{}, map[model.NodeID]string{},
		map[model.NodeID]string{}, map[model.NodeID]model.NodeID{}, map[pair]bool{}, lists{}, map[model.NodeID]bool{}, false, false}
}

// follow updates the world by an observation. It reports whether a node has joined or left.
func (w *world) follow(o model.Observation) (fresh bool) {
	if int(o.Node) >= w.N {
		return false // the node that makes trouble
	}
	text, _ := o.Value.(string)
	words := strings.SplitN(text, " ", 5)
	switch o.Kind {
	case model.Noted:
		if words[0] == "lists" {
			w.lists(o.Node, words[1:])
		}
		return false
	case model.Crashed:
		w.parts(o.Node)
		w.Down[o.Node], w.Trouble = true, true
		w.empty(o.Node)
		delete(w.Calls, o.Node)
	case model.Recovered:
		w.Again[o.Node] = true
		delete(w.Down, o.Node)
		delete(w.Away, o.Node)
		delete(w.Left, o.Node)
		delete(w.Cut, o.Node)
		w.Meta[o.Node] = ""
	case model.Invoked:
		w.Calls[o.Node] = text
		return w.invoked(o.Node, words)
	case model.Returned:
		delete(w.Calls, o.Node)
		return w.returned(o.Node, text)
	}
	return true
}

func (w *world) invoked(n model.NodeID, call []string) (fresh bool) {
	switch call[0] {
	case "join":
		w.Joins[n] = number(call[1])
	case "leave":
		w.parts(n)
		w.Away[n], w.Moved = true, true
		return true
	case "kill":
		w.parts(n)
		w.Down[n], w.Trouble = true, true
		return true
	case "return":
		w.Again[n] = true
		delete(w.Down, n)
		delete(w.Away, n)
		delete(w.Left, n)
		w.Joins[n] = number(call[1])
		return true
	case "update":
		w.Meta[n] = call[1]
	case "cut":
		w.parts(n)
		w.Cut[n], w.Trouble = true, true
		return true
	}
	return false
}

func (w *world) returned(n model.NodeID, result string) (fresh bool) {
	whom, joins := w.Joins[n]
	delete(w.Joins, n)
	switch result {
	case "joined":
		if joins {
			w.Met[pair{n, whom}] = true
		}
		return false
	case "left":
		w.Left[n] = true
	case "mend":
		delete(w.Cut, n)
	default:
		return false
	}
	return true
}

// parts notes that a node comes or goes. A call that is joining the node may still return. Then the node that
// went was joined: its next process does not know the caller.
func (w *world) parts(n model.NodeID) {
	maps.DeleteFunc(w.Joins, func(by, whom model.NodeID) bool { return by == n || whom == n })
	maps.DeleteFunc(w.Met, func(p pair, _ bool) bool { return p.By == n || p.Of == n })
}

// empty deletes the entries of a node's list.
func (w *world) empty(n model.NodeID) {
	for of := range model.NodeID(w.N) {
		delete(w.Lists, pair{n, of})
	}
}

func (w *world) lists(by model.NodeID, words []string) {
	of, e := number(words[0]), entry{State: words[1]}
	if len(words) > 2 {
		_, _ = fmt.Sscan(words[2], &e.Incarnation)
	}
	if len(words) > 3 {
		e.Meta = words[3]
	}
	w.Lists[pair{by, of}] = e
}

// number returns the number of the node with this name.
func number(name string) (n model.NodeID) {
	_, _ = fmt.Sscanf(name, "n%d", &n)
	return n
}

// of returns the entry that a node has for another node.
func (l lists) of(p pair) entry {
	if e, is := l[p]; is {
		return e
	}
	return entry{State: "unknown"}
}

func (w *world) is(p pair) entry { return w.Lists.of(p) }

// calm reports whether nobody has crashed, left, or been cut off.
func (w *world) calm() bool { return !w.Trouble && !w.Moved }

// in reports whether a node is up, and in the group.
func (w *world) in(n model.NodeID) bool { return !w.Down[n] && !w.Away[n] }

// joined reports whether both nodes are in the group and the cable of neither is pulled.
func (w *world) joined(p pair) bool {
	return w.in(p.By) && w.in(p.Of) && !w.Cut[p.By] && !w.Cut[p.Of]
}

// pairs calls f for each node and each other.
func (w *world) pairs(f func(pair)) {
	for by := range model.NodeID(w.N) {
		for of := range model.NodeID(w.N) {
			if by != of {
				f(pair{by, of})
			}
		}
	}
}
