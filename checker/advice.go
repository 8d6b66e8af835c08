package checker

import (
	"strings"

	"contend/checker/search"
)

// advice says for each limit what changes the outcome. The first whose name the limit begins with counts.
var advice = []struct{ limit, text string }{
	{search.Timeout, "give it more time (--timeout), or make the system smaller; --profile shows what splits its states"},
	{search.States, "allow more states (--max-states), or make the system smaller; --profile shows what splits its states"},
	{search.Memory, "allow more memory (--max-memory): the search goes on with files where it ends, but for liveness claims; or make the system smaller"},
	{search.Interrupted, "start it again; with --checkpoint DIR a search can go on later (--resume DIR)"},
	{"cut", "raise the bound that cut(…) names in the row, or make its steps end without it"},
	{"strict bound", "decide it in dense time (--time dense, model.Dense), where its kind is decided there (list --decides), or give the window and the bound values that differ by a tick"},
	{"dense time", "decide it on the grid of whole ticks (--time grid, model.Grid)"},
	{"timed lasso", "decide it without time (--time untimed, model.Untimed), where a run that goes round refutes it, or claim that its goal is possible from everywhere"},
	{"time-lock", "look for a deadline that a node, a channel or a detector cannot meet: the verb explain says what this limit is"},
	{"time stands still", "look for a deadline that a node, a channel or a detector cannot meet: the verb explain says what this limit is"},
	{"page states", "give the page narrower bounds (model.Refinement.At), or fewer steps that show nothing"},
	{"page cut", "give the page wider bounds (model.Refinement.At): a cut keeps it from what was seen"},
	{"porcupine", "let fewer operations overlap: fewer clients, or fewer operations of each"},
	{"schedules", "search it exhaustively in a smaller configuration; more schedules prove nothing"},
	{"steps", "sample more with the verb run, and --schedules"},
	{NoStep, "give a node a Script, a Start or a Timeout, or sample with a budget of faults"},
	{NothingClaimed, "change the configuration to what the claims assume, or test them all the same with --assume-anyway"},
	{Untested, "give the row a fault, another node or another operation, or say in Claim.Vacuous why no run can test it"},
	{search.Failure, "mend the handler, monitor or invariant that fails: a run ends there"},
	{Stuck, "mend the handler that is named: it does not return"},
	{Internal, "report this: it is a bug of the checker"},
}

// sampledAdvice says it for rows that were sampled, where that differs: there is no checkpoint of them, and they have no states.
var sampledAdvice = map[string]string{
	search.Timeout:     "give it more time (--timeout), or search it exhaustively in a smaller configuration; more schedules prove nothing",
	search.Interrupted: "start it again, with fewer --schedules or a --timeout: a seed samples the same schedules each time, from the first on",
}

// SampledAdvice is Advice for a row that was sampled.
func SampledAdvice(limit string) string {
	if text := sampledAdvice[limit]; text != "" {
		return text
	}
	return Advice(limit)
}

// Advice says in words what changes the outcome of a check that a limit left without a verdict; "" if it
// does not know the limit.
func Advice(limit string) string {
	for _, a := range advice {
		if strings.HasPrefix(limit, a.limit) {
			return a.text
		}
	}
	return ""
}
