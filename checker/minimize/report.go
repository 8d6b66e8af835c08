package minimize

import (
	"fmt"

	"contend/traces"
)

// A Report is the result of a minimization.
type Report struct {
	From, To             int // number of steps
	FromConfig, ToConfig traces.Config
	Tried                int64 // number of executed candidates
	// Refused is the number of candidates whose trace did not replay, since a handler is not deterministic.
	Refused int64
	// Locally reports local minimality: no pass makes the run smaller, and no step can be omitted.
	Locally bool
	// Limit is the limit that ended the passes: "timeout", "interrupted", "steps", or "".
	Limit string
	// States and Schedules are the totals of all searches.
	States, Schedules int64
	// Searched reports whether Shortest was called. SearchStates and SearchLimit are its result's.
	Searched     bool
	SearchStates int64
	SearchLimit  string
	// Another, unless nil, describes the origin of a run that is not a part of the original run.
	Another *Another
	// Shortest reports a proof that no shorter run of this configuration breaks the claim.
	Shortest bool
}

// An Another is the origin of a run that is not a part of the original run.
type Another struct {
	By     string        `json:"by"` // "search" or "sampling"
	Config traces.Config `json:"config"`
	Steps  int           `json:"steps"` // before its minimization
}

// String returns the origin as a clause.
func (a Another) String() string {
	by := a.By
	if by == "search" {
		by = "a search"
	}
	return fmt.Sprintf("this is another run, not a part of the first: %s found it with %s, in %s", by, a.Config, Steps(a.Steps))
}

// Steps returns a number of steps in words, as "1 step".
func Steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// String returns the numbers of steps, the configurations if they differ, and the origin of another run:
// "minimised from 212 to 14 steps, from n=7 b=1 to n=6 b=1".
func (r Report) String() string {
	text := fmt.Sprintf("minimised from %d to %s", r.From, Steps(r.To))
	if from, to := r.FromConfig.String(), r.ToConfig.String(); from != to {
		text += fmt.Sprintf(", from %s to %s", from, to)
	}
	if r.Another != nil {
		text += "; " + r.Another.String()
	}
	return text
}

// How returns a sentence about the proven minimality.
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

// searched returns a clause about an unsuccessful search, or "".
func (r Report) searched() string {
	if !r.Searched || r.SearchLimit == "" {
		return ""
	}
	return fmt.Sprintf("; the search for the shortest run ended without one (%s, %d states)", r.SearchLimit, r.SearchStates)
}
