package checker

import (
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/gofuzz"
	"contend/checker/sample"
	"contend/checker/watch"
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

// Inputs are what runs of a target came to.
type Inputs struct {
	Runs   int
	Steps  int64
	States int       // that nodes came to, with those that it began with
	Broken []*Broken // a run that violates a claim, for each claim; by the claims' names
	Err    error     // why a run failed, which is then the last; a [watch.Endless] of a handler that does not return, which goes on
}

// freshEvery is how many of the inputs of Inputs share one that is drawn anew.
const freshEvery = 8

// Inputs runs so many inputs without go test: random ones, and mutations of those that led a node to a new state, here or where found, unless
// it is nil, comes from. They are a function of the seed and of found, which tells afterwards what these inputs add to it. Of the runs that violate a claim the shortest is kept, and made smaller. It ends early once stop is closed.
func (tg Target) Inputs(seed uint64, n int, found *Corpus, stop <-chan struct{}) Inputs {
	w := &watch.Watch{Interrupt: stop, Patience: handlerPatience}
	tg.running = w.Cell()
	var is Inputs
	if err := w.Run(func() error { is = tg.inputs(seed, n, found, stop); return nil }); err != nil {
		return Inputs{Err: err} // the others are still being counted
	}
	return is
}

func (tg Target) inputs(seed uint64, n int, found *Corpus, stop <-chan struct{}) (is Inputs) {
	r := rand.New(rand.NewPCG(seed, 2))
	if found == nil {
		found = &Corpus{}
	}
	found.fresh, found.freshInputs = nil, nil
	seen, broken := map[uint64]bool{}, map[string]*Broken{}
	maps.Copy(seen, found.states)
	corpus := slices.Clone(found.inputs)
	for ; is.Runs < n; is.Runs++ {
		select {
		case <-stop:
			return is
		default:
		}
		data := randomBytes(r.Uint64(), fuzzSeedSize)
		if len(corpus) > 0 && r.IntN(freshEvery) > 0 {
			data = gofuzz.Mutated(r, corpus[max(r.IntN(len(corpus)), r.IntN(len(corpus)))], data)
		}
		fresh := false
		_, out, err := tg.run(data, func(w *world.World, rec world.Record) {
			if state, is := gofuzz.State(w, rec); is && !seen[state] {
				seen[state], fresh = true, true
				found.fresh = append(found.fresh, state)
			}
		})
		is.Steps += int64(len(out.Records))
		var b *Broken
		switch {
		case errors.As(err, &b):
			if was := broken[b.Claim]; was == nil || len(b.Trace.Steps) < len(was.Trace.Steps) {
				broken[b.Claim] = b
			}
		case err != nil:
			is.Err = err
			return is
		case fresh:
			corpus = append(corpus, data)
			found.freshInputs = append(found.freshInputs, data)
		}
	}
	is.States = len(seen)
	for _, b := range broken {
		small, _ := (Options{Interrupt: stop}).minimize(tg.Protocol, b.Trace, nil)
		b.Trace, b.Text = small, small.Text
		is.Broken = append(is.Broken, b)
	}
	slices.SortFunc(is.Broken, func(a, b *Broken) int { return cmp.Compare(a.Claim, b.Claim) })
	return is
}
