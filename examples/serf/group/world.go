package group

import (
	"fmt"
	"maps"
	"strings"

	"contend/model"
)

// A pair is a node and the node that it lists.
type pair struct{ By, Of model.NodeID }

// A world is what a monitor knows of the nodes.
type world struct {
	N      int
	Lists  map[pair]string // the status; "" stands for no entry
	Calls  map[model.NodeID]string
	Up     map[model.NodeID]bool // it runs Serf, and does not leave
	Left   map[model.NodeID]bool // it has left, and has not returned
	Forced map[model.NodeID]bool // it was forced to leave, and has not returned
}

func newWorld(s *model.System) world {
	return world{N: s.Config.N, Lists: map[pair]string{}, Calls: map[model.NodeID]string{}, Up: map[model.NodeID]bool{},
		Left: map[model.NodeID]bool{}, Forced: map[model.NodeID]bool{}}
}

// follow updates the world. It reports whether a node has come or gone.
func (w *world) follow(o model.Observation) (moved bool) {
	text, _ := o.Value.(string)
	words := strings.Split(text, " ")
	switch o.Kind {
	case model.Noted:
		switch words[0] {
		case "lists":
			w.Lists[pair{o.Node, number(words[1])}] = words[2]
		case "snapshot":
			w.Up[o.Node] = true
			delete(w.Left, o.Node)
			delete(w.Forced, o.Node)
			return true
		}
	case model.Crashed:
		delete(w.Up, o.Node)
		delete(w.Calls, o.Node)
		maps.DeleteFunc(w.Lists, func(p pair, _ string) bool { return p.By == o.Node })
		return true
	case model.Invoked:
		w.Calls[o.Node] = text
		if text == "leave" || text == "kill" {
			delete(w.Up, o.Node)
			return true
		}
	case model.Returned:
		call := w.Calls[o.Node]
		delete(w.Calls, o.Node)
		if call == "leave" && o.Value != any(model.NoResult{}) {
			w.Left[o.Node] = true
		}
		if of, is := strings.CutPrefix(call, "force "); is && text == "ok" && !w.Up[number(of)] {
			w.Forced[number(of)] = true
		}
	}
	return false
}

// number returns the number of the node with this name.
func number(name string) (n model.NodeID) {
	_, _ = fmt.Sscanf(name, "n%d", &n)
	return n
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

// settled reports whether all nodes are up, and list each other as alive.
func (w *world) settled() bool {
	all := true
	w.pairs(func(p pair) { all = all && w.Up[p.By] && w.Lists[p] == "alive" })
	return all
}
