package exhaustive

import (
	"fmt"

	"contend/checker/plan"
	"contend/checker/search"
	"contend/checker/search/checkpoint"
	"contend/checker/verdict"
	"contend/model"
)

// Reductions has the names for [verdict.Options.Reduce].
var Reductions = []string{"symmetry", "clients", "stale", "merging"}

// Refuse returns the reason why a check cannot be made with the options, or nil. For example, the search for a claim
// that is decided on the graph of all states has no checkpoints, and dense time does not support all faults.
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

// RefuseAll returns the reason why some planned check cannot be made with the options, or nil. It also returns an
// error if no search can continue from the existing checkpoints. Call it before the first check.
func RefuseAll(planned []*plan.Plan, opt verdict.Options) error {
	var searches [][]checkpoint.Field
	for _, pl := range planned {
		if err := Refuse(pl, opt); err != nil {
			return fmt.Errorf("%s: %w", pl.Protocol.Name, err)
		}
		ids, _ := identities(pl, opt) // Refuse returned its error
		searches = append(searches, ids...)
	}
	if opt.Checkpoints == "" {
		return nil
	}
	there, err := storedSearches(opt.Checkpoints)
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
