package viewing

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"contend/checker/judge"
	"contend/model"
	"contend/traces/replay"
)

// porcupineTime bounds the time of porcupine for a history.
const porcupineTime = 30 * time.Second

// history writes porcupine's page of a run: for the violated claim if it is one of linearizability, else for the
// first such claim that was watched.
func history(w io.Writer, p *model.Protocol, run *replay.Run) error {
	claim, ok := linearizable(p, run)
	if !ok {
		return errors.New("this run watched no claim of linearizability, so there is no history for porcupine to check")
	}
	var observed []model.Observation
	for _, r := range run.Records {
		observed = append(observed, r.Observations...)
	}
	verdict, err := judge.Page(w, claim.Object, observed, run.World.System.Name, porcupineTime)
	if err == nil && verdict == judge.Unknown {
		err = fmt.Errorf("porcupine did not finish this history of %d observations within %v", len(observed), porcupineTime)
	}
	return err
}

// linearizable is the claim whose object a run's history is held against.
func linearizable(p *model.Protocol, run *replay.Run) (model.Claim, bool) {
	for _, name := range slices.Insert(slices.Clone(run.Watched), 0, run.Trace.Claim) {
		if c, err := p.Claim(name); err == nil && c.Kind == model.Linearizable {
			return c, true
		}
	}
	return model.Claim{}, false
}
