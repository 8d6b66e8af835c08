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
	// Limit is what stopped the passes: "timeout", "interrupted", or "".
	Limit string
	// Searched says that a search looked for the shortest run; States and SearchLimit are of it.
	Searched    bool
	States      int64
	SearchLimit string
	// Shortest says that the search proved that no run of this configuration breaks the claim in fewer steps.
	Shortest bool
}

// String says from how many steps to how many a run was minimised, and to which configuration if that is smaller:
// "minimised from 212 to 14 steps, n=7 b=1 to n=6 b=1".
func (r Report) String() string {
	text := fmt.Sprintf("minimised from %d to %d steps", r.From, r.To)
	if from, to := r.FromConfig.String(), r.ToConfig.String(); from != to {
		text += fmt.Sprintf(", from %s to %s", from, to)
	}
	return text
}

// How says in a sentence how small the run is known to be.
func (r Report) How() string {
	switch {
	case r.Shortest:
		return fmt.Sprintf("shortest: no run of fewer steps breaks it in this configuration (%d states searched)", r.States)
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
	return fmt.Sprintf("; the search for the shortest run ended without one (%s, %d states)", r.SearchLimit, r.States)
}
