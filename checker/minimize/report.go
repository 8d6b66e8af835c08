package minimize

import (
	"fmt"

	"contend/traces"
)

// A Report says how small a run became, and what is known of that.
type Report struct {
	From, To             int // steps
	FromConfig, ToConfig traces.Config
	Tried                int64 // candidates that were taken through the interpreter
	// Refused counts candidates whose trace did not replay: of a handler that is no function of what it is given.
	Refused int64
	// Locally says that no pass makes the run smaller: no single step can be left out.
	Locally bool
	// Limit is what stopped the passes: "timeout", "interrupted", "steps", or "".
	Limit string
	// States and Schedules count what searches met and sampled in all.
	States, Schedules int64
	// Searched says that a search looked for the shortest run; SearchStates and SearchLimit are of it.
	Searched     bool
	SearchStates int64
	SearchLimit  string
	// Another, unless nil, says where the run comes from that is not a part of the one that was given.
	Another *Another
	// Shortest says that the search proved that no run of this configuration breaks the claim in fewer steps.
	Shortest bool
}

// Another says how a run was found that breaks the same claim, but is not a part of the run that was given.
type Another struct {
	By     string        `json:"by"` // "search" or "sampling"
	Config traces.Config `json:"config"`
	Steps  int           `json:"steps"` // as it was found
}

// String says it in a clause.
func (a Another) String() string {
	by := a.By
	if by == "search" {
		by = "a search"
	}
	return fmt.Sprintf("this is another run, not a part of the first: %s found it with %s, in %s", by, a.Config, steps(a.Steps))
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// String says from how many steps to how many a run was minimised, to which configuration if that is smaller, and whether it is another
// run: "minimised from 212 to 14 steps, from n=7 b=1 to n=6 b=1".
func (r Report) String() string {
	text := fmt.Sprintf("minimised from %d to %s", r.From, steps(r.To))
	if from, to := r.FromConfig.String(), r.ToConfig.String(); from != to {
		text += fmt.Sprintf(", from %s to %s", from, to)
	}
	if r.Another != nil {
		text += "; " + r.Another.String()
	}
	return text
}

// How says in a sentence how small the run is known to be.
func (r Report) How() string {
	switch {
	case r.Shortest:
		return fmt.Sprintf("shortest: no run of fewer steps breaks it in this configuration (%d states searched)", r.SearchStates)
	case r.Limit != "":
		return fmt.Sprintf("stopped by %s: it may not be locally minimal", r.Limit)
	case r.Locally:
		return "locally minimal: no single step, fault, operation, client or server can be left out" + r.searched()
	}
	return "as it was: one run alone does not show how its claim breaks" + r.searched()
}

// searched says why a search does not say more.
func (r Report) searched() string {
	if !r.Searched || r.SearchLimit == "" {
		return ""
	}
	return fmt.Sprintf("; the search for the shortest run ended without one (%s, %d states)", r.SearchLimit, r.SearchStates)
}
