package exhaustive

import (
	"fmt"

	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/search/checkpoint"
	"contend/checker/verdict"
	"contend/model"
)

// Reductions are the names that [Options.Reduce] takes.
var Reductions = []string{"symmetry", "clients", "stale", "merging"}

// Refuse says in a sentence why a check cannot be made with these options, or nil: of some no
// checkpoints are kept, such as a search for a claim that is decided on the graph of all states, and a search in dense time does not read every fault.
func Refuse(pl *plan.Plan, opt verdict.Options) error {
	if opt.From != nil {
		if err := refuseFrom(opt.From, pl); err != nil {
			return err
		}
	}
	if _, err := identities(pl, opt); err != nil {
		return err
	}
	if pl.Check.Reading != model.Dense || pl.Check.Schedules > 0 {
		return nil
	}
	return search.RefuseUndense(pl.System)
}

// RefuseAll returns an error, a sentence, if some planned check cannot be made with these options, or if none can go on from the checkpoints
// that there are. Call it before the first check.
func RefuseAll(planned []*plan.Plan, opt verdict.Options) error {
	var searches [][]checkpoint.Field
	for _, pl := range planned {
		if err := Refuse(pl, opt); err != nil {
			return fmt.Errorf("%s: %w", pl.Protocol.Name, err)
		}
		known, _ := identities(pl, opt) // what is wrong with them is refused
		searches = append(searches, known...)
	}
	if opt.Checkpoints == "" {
		return nil
	}
	there, err := checkpointsIn(opt.Checkpoints)
	switch {
	case err != nil:
		return err
	case opt.Resume:
		return refuseResume(searches, there, opt)
	case len(there) > 0 && there[0].header == nil:
		return fmt.Errorf("checkpoint: %s holds files of a search, but no checkpoint: it was stopped before its first one; remove the directory", there[0].dir)
	case len(there) > 0:
		return fmt.Errorf("checkpoint: %s holds the checkpoint of %s: go on from it with --resume %s, or remove it",
			opt.Checkpoints, there[0].header, opt.Checkpoints)
	}
	return nil
}
