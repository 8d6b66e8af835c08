package check

import (
	"cmp"

	"contend/checker/sample"
	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/verdict"
)

// advice has for each code of a limit what changes the outcome of the check.
var advice = map[string]string{
	search.Timeout:         "give it more time (--timeout), or make the system smaller; --profile shows what splits its states",
	search.States:          "allow more states (--max-states), or make the system smaller; --profile shows what splits its states",
	search.Memory:          "allow more memory (--max-memory): the search goes on with files where it ends, but for liveness claims; or make the system smaller",
	search.Interrupted:     "start it again; with --checkpoint DIR a search can go on later (--resume DIR)",
	decide.Cut:             "raise the bound that cut(…) names in the row, or make its steps end without it",
	decide.StrictBound:     "decide it in dense time (--time dense, model.Dense), where its kind is decided there (list --decides), or give the window and the bound values that differ by a tick",
	decide.DenseTime:       "decide it on the grid of whole ticks (--time grid, model.Grid)",
	decide.TimedRound:      "decide it without time (--time untimed, model.Untimed), where a run that goes round refutes it, or claim that its goal is possible from everywhere",
	"time-lock":            "look for a deadline that a node, a channel or a detector cannot meet: the verb explain says what this limit is",
	decide.TimeStandsStill: "look for a deadline that a node, a channel or a detector cannot meet: the verb explain says what this limit is",
	"page states":          "give the page narrower bounds (model.Refinement.At), or fewer steps that show nothing",
	"page cut":             "give the page wider bounds (model.Refinement.At): a cut keeps it from what was seen",
	"porcupine":            "let fewer operations overlap: fewer clients, or fewer operations of each",
	string(sample.Budget):  "search it exhaustively in a smaller configuration; more schedules prove nothing",
	string(sample.Spent):   "sample more with the verb run, and --schedules",
	verdict.NoStep:         "give a node a Script, a Start or a Timeout, or sample with a budget of faults",
	verdict.NothingClaimed: "change the configuration to what the claims assume, or test them all the same with --assume-anyway",
	verdict.Untested:       "give the row a fault, another node or another operation, or say in Claim.Vacuous why no run can test it",
	search.Failure:         "mend the handler, monitor or invariant that fails: a run ends there",
	verdict.Stuck:          "mend the handler that is named: it does not return",
	verdict.Internal:       "report this: it is a bug of the checker",
}

// sampledAdvice has the advice that differs for sampled rows: they have no checkpoint and no states.
var sampledAdvice = map[string]string{
	search.Timeout:     "give it more time (--timeout), or search it exhaustively in a smaller configuration; more schedules prove nothing",
	search.Interrupted: "start it again, with fewer --schedules or a --timeout: a seed samples the same schedules each time, from the first on",
}

// Advice returns what changes the outcome of a search that a limit with this code left without a verdict; "" for
// an unknown code.
func Advice(code string) string { return advice[code] }

// SampledAdvice is [Advice] for a sampled row.
func SampledAdvice(code string) string { return cmp.Or(sampledAdvice[code], advice[code]) }
