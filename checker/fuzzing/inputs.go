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
	w := verdict.NewWatch(&verdict.Options{Interrupt: stop, Patience: tg.Patience}, time.Now())
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
		small, _ := shrink.Sampled(verdict.Options{Interrupt: stop}, tg.Protocol, b.Trace, nil)
		b.Trace, b.Text, b.violation = small, small.Text, explain.New(tg.Protocol, small)
		is.Broken = append(is.Broken, b)
	}
	slices.SortFunc(is.Broken, func(a, b *Broken) int { return cmp.Compare(a.Claim, b.Claim) })
	return is
}
