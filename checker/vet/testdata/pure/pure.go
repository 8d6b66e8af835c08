// Package pure has nodes that come near to what handlers may not do, and do not do it.
package pure

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"contend/model"
)

// A Ping asks a node for a Pong.
type Ping struct {
	Names []string
	Table map[string]int
}

// Settings are configuration.
type Settings struct {
	Limit int
	Order func(table map[string]int) []string
}

var (
	names   = []string{"a", "b"} // read only
	errName = errors.New("no such name")
	seed    int
)

func init() { seed = 3 } // before anything runs

// New makes nodes: configuration is set here, and chance and clocks are no matter of handlers.
func New() *Node {
	cfg := &Settings{}
	cfg.Limit = rand.IntN(2) + int(time.Now().Unix()*0)
	cfg.Order = sorted
	n := &Node{cfg: cfg}
	n.cfg.Limit = seed
	return n
}

// An Inner is a node within a node.
type Inner struct {
	cfg   *Settings
	Count int
}

func (i *Inner) Timeout(model.Env, any) { i.Count++ }

// A Node has state of many kinds.
type Node struct {
	cfg    *Settings
	Names  []string
	Table  map[string]int
	Sum    int
	Most   string
	Wait   time.Duration
	Within Inner
}

func (n *Node) Start(env model.Env) {
	n.Within = Inner{cfg: n.cfg}
	env.After(1, model.By(2))
}

// wrapped is an Env that returns nothing.
type wrapped struct{ model.Env }

func (wrapped) Return(any) {}

func (n *Node) Timeout(env model.Env, key any) { n.Within.Timeout(env, key) }

func (n *Node) Receive(env model.Env, from model.NodeID, message any) {
	m := message.(Ping)
	own := m.Names
	own = slices.Clone(own)
	own[0] = "x"
	settings := *n.cfg
	settings.Limit++
	if (time.Time{}).After(time.Time{}) {
		return
	}
	for u := range m.Table {
		n.Table[u] = int(env.Self())
	}
	slices.Sort(own)
	m.Names = own // of a copy of the message
	m.Table = maps.Clone(m.Table)
	n.look(m)
	send := func(to model.NodeID) { env.Send(to, m) }
	send(from)
	again := env
	again.Note(errName.Error() + names[0])
	for _, name := range slices.Sorted(maps.Keys(n.Table)) {
		env.Note(name)
	}
	env = wrapped{env}
	n.Wait = 3 * time.Second
	if has(n.Table, 3) && n.cfg.Limit > 0 {
		env.Return(sorted(n.Table))
	}
}

func (n *Node) look(m Ping) {
	n.Table = map[string]int{}
	for name, k := range m.Table {
		n.Table[name] += k // an entry of its own
		n.Sum += k         // whole numbers
		double := k * 2
		if double > n.Table[n.Most] || double == n.Table[n.Most] && name < n.Most {
			n.Most = name
		}
		n.Names = append(n.Names, name)
	}
	sort.Strings(n.Names)
	some := false
	for name, k := range m.Table {
		n.Sum = max(n.Sum, k)
		n.Most = min(name, n.Most)
		some = some || k > 2
	}
	if some {
		n.Sum++
	}
	lists := map[string][]string{}
	for name := range m.Table {
		var one []string
		one = append(one, name)
		lists[name] = append(lists[name], one...)
	}
	delete(n.Table, "x")
	clear(lists)
}

func sorted(table map[string]int) []string {
	all := slices.Collect(maps.Keys(table))
	slices.Sort(all)
	return all
}

func has(table map[string]int, n int) bool {
	for _, k := range table {
		if k == n {
			return true
		}
	}
	return false
}

// An Outer node points to one that it does not run.
type Outer struct{ made *Inner }

func (o *Outer) Timeout(env model.Env, _ any) { env.Note(o.made != nil) }

// A Monitor says that the claim was tested.
type Monitor struct{ Seen map[string]bool }

// Observe looks at every name.
func (m *Monitor) Observe(w model.Watch, _ model.Observation) {
	for range m.Seen {
		w.Witness()
	}
}

// Reverse changes a list of its caller's.
func (m *Monitor) Reverse(_ model.Watch, names []string) { slices.Reverse(names) }

// Wall is no node: it may read clocks.
type Wall struct{ seen int }

// Receive takes no Env.
func (w *Wall) Receive(time.Time) { w.seen = int(time.Now().Unix()) }
