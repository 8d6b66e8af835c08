package strategy

import (
	"fmt"
	"strings"
)

// A Kind is a strategy that users can select.
type Kind struct {
	Name        string
	Description string // description, for help texts
	New         func() Strategy
}

// Default is the strategy if none is selected.
const Default = "portfolio"

// All returns the strategies. To add a strategy, add a file and a line here. A line of shares puts it into
// the portfolio.
func All() []Kind {
	return []Kind{
		{Default, "samples schedules, shared among the strategies below", func() Strategy { return NewPortfolio() }},
		{"random", "takes each event that may happen with the same probability", func() Strategy { return Random{} }},
		{"pos", "partial order sampling: random priorities, drawn again for events that race", func() Strategy { return &Fair{Strategy: POS{}} }},
		{"pct", "random priorities of channels, which change at a few random steps", func() Strategy { return &Fair{Strategy: &PCT{}} }},
		{"pctcp", "random priorities of chains of events, which change at a few random steps", func() Strategy { return &Fair{Strategy: &PCTCP{}} }},
		{"surw", "selectively uniform random walk: an event weighs as much as the events that are to come from it", func() Strategy { return &Fair{Strategy: &SURW{}} }},
		{"delays", "oldest event first, but for a few delays: first all schedules with none, one, two, then random ones", func() Strategy { return NewDelays() }},
		{"deviations", "oldest event first, as early as may be, no faults, but for a few deviations: first all schedules with none, one, two", func() Strategy { return NewDeviations() }},
		{"reward", "reinforcement learning: prefers events that lead to new states", func() Strategy { return &Fair{Strategy: &Reward{}} }},
		{"coverage", "mutates the schedules that reach new states of nodes, new steps or new pairs of states", func() Strategy { return &Fair{Strategy: &Coverage{}} }},
	}
}

// shares lists the portfolio's strategies and their schedules in each cycle; docs/sampling.md has the
// measurements. Delays comes first: many bugs show in its schedule without delays, a simple run.
var shares = []share{{"delays", 1}, {"random", 2}, {"pos", 4}, {"pct", 1}, {"pctcp", 3}, {"surw", 2}, {"reward", 1}, {"coverage", 2}}

// Names returns the names of all strategies.
func Names() (names []string) {
	for _, k := range All() {
		names = append(names, k.Name)
	}
	return names
}

// Find returns a strategy by its name. The error lists all names.
func Find(name string) (Kind, error) {
	for _, k := range All() {
		if k.Name == name {
			return k, nil
		}
	}
	return Kind{}, fmt.Errorf("strategy is %q, but must be one of %s", name, strings.Join(Names(), ", "))
}
