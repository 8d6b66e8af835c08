package exemplar

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
)

// A Kind is what a run is chosen to show.
type Kind struct {
	Name  string
	Shows string // in a few words
	// needs says which rule a configuration breaks in which no run can show it; nil where every one may.
	needs func(s *model.System) string
	fits  func(m Measures) bool
	// better are the measures by which runs that fit are compared, one after another: more is better.
	// Of runs alike in all of them the shortest is chosen.
	better func(m Measures) []int
	says   func(m Measures) string
	// prefer, unless nil, narrows the protocol's moves from which a schedule draws its next.
	prefer func(w *world.World, moves []world.Move) []world.Move
}

// Kinds are those that there are.
var Kinds = []Kind{
	{"uncontended", "operations one after another", nil,
		func(m Measures) bool { return m.Overlaps == 0 && m.Operations > 0 },
		func(m Measures) []int { return []int{m.Operations, m.Deliveries} }, quiet, oneByOne},
	{"contended", "operations at once, as many as may be", nil,
		func(m Measures) bool { return m.Overlaps > 0 || m.InFlight > 1 },
		func(m Measures) []int { return []int{m.Overlaps, m.InFlight} }, busy, nil},
	{"longest", "as many steps as may be", nil,
		func(Measures) bool { return true }, func(m Measures) []int { return []int{m.Steps} }, busy, nil},
	{"liar", "a Byzantine node at work", byzantine,
		func(m Measures) bool { return m.Heeded > 0 },
		func(m Measures) []int { return []int{min(m.Within, 1), m.Heeded, m.After} },
		func(m Measures) string {
			return counted(m.Heeded, "forged message is heeded", "forged messages are heeded")
		}, nil},
	faulty("crash", "a crash survived", []model.EventKind{model.Restart, model.Crash, model.Stop}, "no crashes: -f or --restarts allows some",
		func(f model.Faults) int { return f.Crashes + f.Restarts }),
	faulty("loss", "a message lost", []model.EventKind{model.Lose}, "no losses: --loss allows some", func(f model.Faults) int { return f.Loss }),
	faulty("duplicate", "a message that arrives twice", []model.EventKind{model.Duplicate}, "no duplicates: --duplication allows some",
		func(f model.Faults) int { return f.Duplication }),
	faulty("partition", "a network cut in two", []model.EventKind{model.Partition}, "no partitions: --partitions allows some",
		func(f model.Faults) int { return f.Partitions }),
	faulty("suspicion", "a failure detector that errs", []model.EventKind{model.Mistake}, "no false suspicions: --suspicions allows some",
		func(f model.Faults) int { return f.Suspicions }),
}

// faulty is the kind of runs that outlive a fault: of one of some kinds of events, which a configuration
// allows by a budget.
func faulty(name, shows string, events []model.EventKind, without string, budget func(model.Faults) int) Kind {
	struck := func(m Measures) (n int) {
		for _, e := range events {
			n += m.Faults[e]
		}
		return n
	}
	return Kind{name, shows,
		func(s *model.System) string {
			if budget(s.Faults) > 0 {
				return ""
			}
			return "the configuration allows " + without
		},
		func(m Measures) bool { return struck(m) > 0 && m.After > 0 },
		func(m Measures) []int { return []int{struck(m), m.Within, m.After} },
		func(m Measures) string {
			return counts(m) + "; after the last fault " + counted(m.After, "return, delivery or note", "returns, deliveries and notes")
		}, nil,
	}
}

func byzantine(s *model.System) string {
	if slices.ContainsFunc(s.Nodes, func(n model.NodeSpec) bool { return n.Byzantine }) {
		return ""
	}
	return "the configuration has no Byzantine node: -b allows some, in protocols that have them"
}

func quiet(m Measures) string {
	return counted(m.Operations, "operation", "operations, none while another runs")
}

func busy(m Measures) string {
	return counted(m.Overlaps, "pair of operations overlaps", "pairs of operations overlap") + ", up to " +
		counted(m.InFlight, "message is in flight", "messages are in flight")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// words are those for faults, of one and of more.
var words = map[model.EventKind][2]string{
	model.Lose: {"loss", "losses"}, model.Duplicate: {"duplication", "duplications"}, model.Crash: {"crash", "crashes"},
	model.Stop: {"crash for good", "crashes for good"}, model.Restart: {"restart", "restarts"}, model.Forge: {"forged message", "forged messages"},
	model.Mistake: {"false suspicion", "false suspicions"}, model.Partition: {"partition", "partitions"},
}

// counts says how often faults struck.
func counts(m Measures) string {
	var all []string
	for k, n := range m.Faults {
		if n > 0 {
			all = append(all, counted(n, words[model.EventKind(k)][0], words[model.EventKind(k)][1]))
		}
	}
	return strings.Join(all, ", ")
}

// Find returns the kind of a name.
func Find(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// Refuse says in a sentence why no run of a system can be of this kind, or nil.
func (k Kind) Refuse(s *model.System) error {
	if k.needs == nil {
		return nil
	}
	if why := k.needs(s); why != "" {
		return fmt.Errorf("show is %s, but %s", k.Name, why)
	}
	return nil
}

// Fits reports whether a run is of this kind: one that is finished, at least.
func (k Kind) Fits(m Measures) bool { return m.Finished && k.fits(m) }

// Better reports whether the first of two runs of this kind shows it better.
func (k Kind) Better(a, b Measures) bool {
	if c := slices.Compare(k.better(a), k.better(b)); c != 0 {
		return c > 0
	}
	return a.Steps < b.Steps
}

// Prefer narrows the protocol's moves from which a schedule draws its next; nil where it may draw any.
func (k Kind) Prefer() func(w *world.World, moves []world.Move) []world.Move { return k.prefer }

// oneByOne leaves out what begins an operation while another runs and anything else may happen.
func oneByOne(w *world.World, moves []world.Move) []world.Move {
	others := slices.DeleteFunc(slices.Clone(moves), func(m world.Move) bool { return m.Kind == model.Invoke })
	if len(others) == 0 || !running(w) {
		return moves
	}
	return others
}

// running reports whether an operation runs, or the critical section that it entered.
func running(w *world.World) bool {
	for i := range w.System.Nodes {
		if w.Status(model.NodeID(i)).Runs {
			return true
		}
	}
	return slices.ContainsFunc(w.Pending(), func(e *world.Event) bool { return e.Kind == model.Release })
}

// Says says what a run shows.
func (k Kind) Says(m Measures) string { return k.says(m) }
