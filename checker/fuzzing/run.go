package fuzzing

import (
	"errors"
	"testing"

	"contend/checker/sample"
	"contend/model/world"
	"contend/traces"
)

// RunFile is the environment variable with the name of a file. If it is set, a fuzz target only writes the run of
// its inputs to the file, as a trace. So the tool gets the run of an input, since only its target can run it.
const RunFile = "CONTEND_FUZZ_RUN"

// record writes the run of an input as a trace, also if it violates no claim.
func (tg Target) record(t *testing.T, data []byte, file string) {
	is, err := tg.Trace(data)
	if err == nil {
		err = traces.Save(file, is)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Trace returns the run of an input, up to the violation of a claim. The error is the reason why the run failed.
func (tg Target) Trace(data []byte) (*traces.Trace, error) {
	trial, out, err := tg.run(data, nil)
	var broken *Broken
	switch {
	case errors.As(err, &broken):
		return broken.Trace, nil
	case err != nil:
		return nil, err
	}
	return traces.FromRun(trial.header("", ""), trial.World, trial.Reading.Parts, out.Records)
}

// run runs the schedule of an input. It calls taken, unless nil, after each step.
func (tg Target) run(data []byte, taken func(*world.World, world.Record)) (*Trial, sample.Outcome, error) {
	c := sample.Bytes(data)
	trial, err := tg.Trial(c, pure(data))
	if err != nil {
		return nil, sample.Outcome{}, err
	}
	out := sample.Run(trial.World, c, sample.Bounds{World: trial.Reading, MaxSteps: fuzzSteps, Taken: taken})
	if out.Err != nil {
		return trial, out, trial.Failed(out.Records, out.Err)
	}
	return trial, out, trial.Over(out.Records)
}
