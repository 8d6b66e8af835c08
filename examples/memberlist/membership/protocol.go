// Package membership model-checks groups of members: the lists of HashiCorp's memberlist. It runs the
// library's own code below its goroutines.
//
// The glue between the library and the search is in member.go, during.go and package inert. The messages and
// notes are in messages.go, the claims in claims.go and their monitors in monitors.go, the options and
// mutants in variants.go.
package membership

import (
	"slices"
	"sync"

	"contend/examples/memberlist/inert"
	"contend/model"
	"contend/model/foreign"

	"github.com/hashicorp/memberlist"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "memberlist",
	Title:  "github.com/hashicorp/memberlist v0.7.0, its own code: who is alive, suspect, dead, or has left",
	Source: source,
	Params: []model.Parameter{Members, Probes, Leaves, Reboots, Syncs, Reaps},
	Build:  build, Claims: claimed, Variants: variants, Checks: checks, Deep: deep, Findings: findings,
}

// The sizes of a system.
var (
	Members = model.N.WithMeaning("nodes").WithRange(2, 5).WithDefault(3)
	Probes  = model.Param[int]{Name: "probes", Meaning: "probes that fail: the first by p1, the next by p2, and so on", Most: 20, Default: 1}
	Leaves  = model.Param[int]{Name: "leaves", Meaning: "times that the last node leaves", Most: 5}
	Reboots = model.Param[int]{Name: "reboots", Meaning: "processes that end, and another starts: the first of the last node, after it has left if it leaves, the next of the one before, and so on", Most: 20}
	Syncs   = model.Param[int]{Name: "syncs", Meaning: "exchanges of whole lists: the first is begun by p1, the next by p2, and so on", Most: 20}
	Reaps   = model.Param[int]{Name: "reaps", Meaning: "times that the dead are forgotten: the first by p2, the next by p3, and so on", Most: 5}
)

// A Config is the configuration that all nodes of a system share.
type Config struct {
	N int
	// Forgets are the nodes that may forget others: their process ends, or they reap.
	Forgets map[model.NodeID]bool
	// hello returns the message that a node without other members sends to the node that it joins.
	hello func() []string
	// Options are the library's options.
	Options func(*memberlist.Config)
	// Seeds returns the nodes that a restarted node joins, given all other nodes.
	Seeds func(env model.Env, others []model.NodeID) []model.NodeID
	// Direct makes a node not forward the messages that it receives.
	Direct bool
	// Deaf makes a node ignore the answers of the nodes that it joins.
	Deaf bool
	// Late has the timer of a suspicion go off that is over.
	Late bool
	// Syncs has all nodes exchange lists again and again.
	Syncs bool
	// Leave has a process leave.
	Leave func(m *member, env model.Env)
}

// moved is added to the address of a node that comes up elsewhere.
const moved = 100

func build(c model.Config) (*model.System, error) {
	cfg := &Config{
		N: c.N, Forgets: map[model.NodeID]bool{}, Options: func(*memberlist.Config) {},
		Seeds: func(env model.Env, others []model.NodeID) []model.NodeID {
			return []model.NodeID{others[env.Choose(len(others))]}
		},
		Leave: func(m *member, _ model.Env) { m.List.Leave() },
	}
	cfg.hello = sync.OnceValue(func() (all []string) {
		for id := range model.NodeID(c.N) {
			all = append(all, inert.New(name(id), port(id), cfg.Options).Ask("", 0, true))
		}
		return all
	})
	s := &model.System{
		Config: c, Setup: cfg,
		Network: model.Network{Channel: model.Set, Delay: model.Anytime(), Once: true},
		Types: []any{
			Probe{}, Sync{}, Leave{}, End{}, Reboot{}, Reap{}, Alive{}, AliveToNew{}, Suspect{}, SuspectToNew{}, Dead{}, DeadToNew{}, Ask{}, Answer{},
			Suspicion{}, Late{}, Again{}, Pause{}, Leaving{}, Failed{}, Left{}, Ended{}, Rebooted{}, Told{}, Accused{}, Over{}, Changed{},
		},
	}
	for id := range model.NodeID(c.N) {
		cfg.Forgets[id] = forgets(c, int(id))
		s.Nodes = append(s.Nodes, model.NodeSpec{
			Name: name(id), Role: model.Peer, Crash: model.CrashStopRecovery,
			New: maker(cfg, id), Script: script(c, int(id)),
		})
	}
	return s, nil
}

// maker makes a node; the library behind it is made when variants have had their say.
func maker(cfg *Config, id model.NodeID) func() model.Node {
	library := sync.OnceValue(func() *foreign.Library[*member, View] {
		return &foreign.Library[*member, View]{
			New:     func() *member { return formed(cfg, id) },
			Recover: func(crashed *member) *member { return crashed.next(crashed.Port) },
			Stable:  func(m *member) any { return m.Life },
			View:    view,
			Omit:    omitted,
		}
	})
	return func() model.Node { return library().Node() }
}

// omitted are the fields that have no effect. The library uses the time of a change only to check whether the
// change has started a given timer. A timer that another change has started has no alarm.
var omitted = []string{
	"List.M.nodes[].StateChange", "List.M.nodeMap[].StateChange",
	"List.M.nodeTimers[].start", "List.M.nodeTimers[].timer",
	"List.Timers[].start", "List.Timers[].timer", "List.Late[][].start", "List.Late[][].timer",
}

// script returns the events of a node.
func script(c model.Config, i int) []model.Op {
	all := ops(Probe{}, turns(Probes.Of(c), c.N, i))
	leaves, reboots := 0, reboots(c, i)
	if i == c.N-1 {
		leaves = Leaves.Of(c)
	}
	for ; leaves > 0 || reboots > 0; leaves, reboots = leaves-1, reboots-1 {
		all = slices.Concat(all, ops(Leave{}, min(1, leaves)), ops(Reboot{}, min(1, reboots)))
	}
	return slices.Concat(all, ops(Reap{}, reaps(c, i)), ops(Sync{}, turns(Syncs.Of(c), c.N, i)))
}

func reboots(c model.Config, i int) int { return turns(Reboots.Of(c), c.N, c.N-1-i) }

func reaps(c model.Config, i int) int { return turns(Reaps.Of(c), c.N, (i+c.N-1)%c.N) }

// forgets reports whether a node may forget others.
func forgets(c model.Config, i int) bool { return reboots(c, i)+reaps(c, i) > 0 }

// turns returns the number of things that the node at a place gets, if things are distributed to n nodes in
// turn.
func turns(things, n, place int) int { return (things + n - 1 - place) / n }

func ops(call any, times int) []model.Op {
	return slices.Repeat([]model.Op{{Call: call, After: model.Anytime()}}, max(0, times))
}
