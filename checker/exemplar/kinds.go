package exemplar

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/world"
)

// A Kind is a kind of run that a user can ask for.
type Kind struct {
	Name  string
	Shows string // a short description
	// needs returns the rule that a system breaks if it has no such run, or "". It may be nil.
	needs func(s *model.System) string
	fits  func(m Measures) bool
	// better returns the measures by which fitting runs are compared lexicographically: more is
	// better. Of equal runs the shortest is best.
	better func(m Measures) []int
	says   func(m Measures) string
	// prefer, unless nil, restricts the moves from which a schedule draws the next.
	prefer func(w *world.World, moves []world.Move) []world.Move
}

// Kinds lists all kinds.
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
			return quantity(m.Heeded, "forged message is heeded", "forged messages are heeded")
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

// faulty returns the kind of runs with a fault and progress after the fault. The fault is an event of one of
// the given kinds; budget returns the number of such faults that a system allows.
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
			return faultCounts(m) + "; after the last fault " + quantity(m.After, "return, delivery or note", "returns, deliveries and notes")
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
	return quantity(m.Operations, "operation", "operations, none while another runs")
}

func busy(m Measures) string {
	return quantity(m.Overlaps, "pair of operations overlaps", "pairs of operations overlap") + ", up to " +
		quantity(m.InFlight, "message is in flight", "messages are in flight")
}

func quantity(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// words maps a fault to its singular and plural.
var words = map[model.EventKind][2]string{
	model.Lose: {"loss", "losses"}, model.Duplicate: {"duplication", "duplications"}, model.Crash: {"crash", "crashes"},
	model.Stop: {"crash for good", "crashes for good"}, model.Restart: {"restart", "restarts"}, model.Forge: {"forged message", "forged messages"},
	model.Mistake: {"false suspicion", "false suspicions"}, model.Partition: {"partition", "partitions"},
}

// faultCounts returns the numbers of faults as a text.
func faultCounts(m Measures) string {
	var all []string
	for k, n := range m.Faults {
		if n > 0 {
			all = append(all, quantity(n, words[model.EventKind(k)][0], words[model.EventKind(k)][1]))
		}
	}
	return strings.Join(all, ", ")
}

// Find returns the kind with a name.
func Find(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// Refuse returns an error if a system has no run of this kind: a sentence with the broken rule.
func (k Kind) Refuse(s *model.System) error {
	if k.needs == nil {
		return nil
	}
	if why := k.needs(s); why != "" {
		return fmt.Errorf("show is %s, but %s", k.Name, why)
	}
	return nil
}

// Fits reports whether a run is finished and of this kind.
func (k Kind) Fits(m Measures) bool { return m.Finished && k.fits(m) }

// Better reports whether run a shows this kind better than run b.
func (k Kind) Better(a, b Measures) bool {
	if c := slices.Compare(k.better(a), k.better(b)); c != 0 {
		return c > 0
	}
	return a.Steps < b.Steps
}

// Prefer returns the function that restricts a schedule's next moves; nil for no restriction. The schedule
// calls it before each move.
func (k Kind) Prefer() func(w *world.World, moves []world.Move) []world.Move { return k.prefer }

// oneByOne removes invocations while an operation runs and other moves exist.
func oneByOne(w *world.World, moves []world.Move) []world.Move {
	others := slices.DeleteFunc(slices.Clone(moves), func(m world.Move) bool { return m.Kind == model.Invoke })
	if len(others) == 0 || !running(w) {
		return moves
	}
	return others
}

// running reports whether an operation runs, including its critical section.
func running(w *world.World) bool {
	for i := range w.System.Nodes {
		if w.Status(model.NodeID(i)).Runs {
			return true
		}
	}
	return slices.ContainsFunc(w.Pending(), func(e *world.Event) bool { return e.Kind == model.Release })
}

// Says returns a text of what a run shows.
func (k Kind) Says(m Measures) string { return k.says(m) }
