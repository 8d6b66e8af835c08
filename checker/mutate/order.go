package mutate

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"contend/checker/mutate/schemata"
)

// An order says which tests are tried first on a mutant. It learns from the mutants that were tried before: the
// test that is expected to catch most for its time comes first, and a test that caught an edit of a function is
// expected to catch other edits of the function. The order decides how long it takes until a mutant is caught,
// never whether it is: all tests that reach it are tried until one fails. What it costs is a sort of the tests for
// each mutant.
type order struct {
	mu  sync.Mutex
	all map[*testOf]*record
	own map[key]*record // of one function
}

// A key is a test and a function.
type key struct {
	test     *testOf
	function string
}

// A record is how many mutants a test was tried on, and how many of them it caught.
type record struct{ tried, caught float64 }

func newOrder() *order { return &order{all: map[*testOf]*record{}, own: map[key]*record{}} }

// batches are the tests that reach a mutant, the most promising first. Tests of one suite that follow each other are
// together in a batch while they are quick, since a process has to be started for each.
func (o *order) batches(tests []*testOf, m *schemata.Mutant) (all [][]*testOf) {
	o.mu.Lock()
	defer o.mu.Unlock()
	worth := map[*testOf]float64{}
	var reach []*testOf
	for _, t := range tests {
		if t.reaches[m.Number] {
			reach = append(reach, t)
			worth[t] = o.expected(t, m) / (t.took + overhead).Seconds()
		}
	}
	slices.SortStableFunc(reach, func(a, b *testOf) int { return cmp.Compare(worth[b], worth[a]) })
	took := time.Duration(0)
	for _, t := range reach {
		if last := len(all) - 1; last >= 0 && all[last][0].suite == t.suite && took+t.took <= quick {
			all[last], took = append(all[last], t), took+t.took
			continue
		}
		all, took = append(all, []*testOf{t}), t.took
	}
	return all
}

// expected is the share of mutants of its kind that a test is expected to catch: what it caught of the function's, of
// which there are few, and of all, which stands for two of them.
func (o *order) expected(t *testOf, m *schemata.Mutant) float64 {
	all, own := record{}, record{}
	if r := o.all[t]; r != nil {
		all = *r
	}
	if r := o.own[key{t, m.File + m.Func}]; r != nil {
		own = *r
	}
	share := (all.caught + 0.3) / (all.tried + 1)
	return (own.caught + 2*share) / (own.tried + 2)
}

// learn takes note of what a batch came to: nothing, or that the test of a name failed; of the others in the batch
// nothing is known then. Which it was is unknown after a panic.
func (o *order) learn(batch []*testOf, m *schemata.Mutant, failed string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, t := range batch {
		if failed != "" && t.name != failed && len(batch) > 1 {
			continue
		}
		k := key{t, m.File + m.Func}
		if o.all[t] == nil {
			o.all[t] = &record{}
		}
		if o.own[k] == nil {
			o.own[k] = &record{}
		}
		for _, r := range []*record{o.all[t], o.own[k]} {
			r.tried++
			if failed != "" {
				r.caught++
			}
		}
	}
}
