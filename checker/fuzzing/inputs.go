package fuzzing

import (
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"contend/checker/explain"
	"contend/checker/gofuzz"
	"contend/checker/shrink"
	"contend/checker/verdict"
	"contend/model/world"
)

// An Inputs is the result of runs of a target.
type Inputs struct {
	Runs   int
	Steps  int64
	States int       // number of different states of nodes, with the states of the corpus
	Broken []*Broken // for each violated claim the shortest run, in the order of the claims' names
	Err    error     // the reason why the last run failed; a [watch.Endless] if a handler does not return
}

// freshEvery is the number of inputs to one that is random, and no mutation.
const freshEvery = 8

// Inputs runs n inputs without go test: random inputs, and mutations of inputs that led to a new state. It begins
// with the inputs of a corpus, unless it is nil, and adds to them. The seed and the corpus determine the inputs.
// The shortest run of each violated claim is minimized. Inputs ends early when stop is closed.
func (tg Target) Inputs(seed uint64, n int, found *Corpus, stop <-chan struct{}) Inputs {
	w := verdict.NewWatch(&verdict.Options{Interrupt: stop, Patience: tg.Patience}, time.Now())
	tg.running = w.Cell()
	var is Inputs
	if err := w.Run(func() error { is = tg.inputs(seed, n, found, stop); return nil }); err != nil {
		return Inputs{Err: err} // the other numbers may still change
	}
	return is
}

// inputs is [Target.Inputs] without a watch for handlers that do not return.
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
		small, _ := shrink.Sampled(verdict.Options{Interrupt: stop, Patience: tg.Patience}, tg.Protocol, b.Trace, nil)
		b.Trace, b.Text, b.violation = small, small.Text, explain.New(tg.Protocol, small)
		is.Broken = append(is.Broken, b)
	}
	slices.SortFunc(is.Broken, func(a, b *Broken) int { return cmp.Compare(a.Claim, b.Claim) })
	return is
}
