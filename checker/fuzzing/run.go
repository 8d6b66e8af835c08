package fuzzing

import (
	"errors"
	"testing"

	"contend/checker/sample"
	"contend/model/world"
	"contend/traces"
)

// RunFile is the environment variable that names a file: a fuzz target that finds it set writes the run of its inputs there as
// a trace, and nothing else. So the tool comes to the run of an input, which only its target knows.
const RunFile = "CONTEND_FUZZ_RUN"

// record writes the run that data stands for as a trace, whether or not it violates a claim.
func (tg Target) record(t *testing.T, data []byte, file string) {
	is, err := tg.Trace(data)
	if err == nil {
		err = traces.Save(file, is)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Trace is the run that data stands for, to the violation of a claim if there is one. The error says why the run failed.
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

// run runs the schedule that data stands for; taken, unless nil, is called after every step.
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
