package mutate

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"contend/checker/mutate/schemata"
)

// An order sorts the tests for each mutant by expected success per time. It learns from earlier mutants: a
// test that caught an edit of a function is expected to catch others of the function. The order affects only
// the time until a mutant is caught: all tests that reach it are tried until one fails.
type order struct {
	mu  sync.Mutex
	all map[*testCase]*record
	own map[key]*record // by function
}

// A key is a test and a function.
type key struct {
	test     *testCase
	function string
}

// A record counts the mutants that a test was tried on, and those that it caught.
type record struct{ tried, caught float64 }

func newOrder() *order { return &order{all: map[*testCase]*record{}, own: map[key]*record{}} }

// batches returns the tests that reach a mutant, the most promising first. Consecutive quick tests of one
// suite form a batch, since each batch starts a process.
func (o *order) batches(tests []*testCase, m *schemata.Mutant) (all [][]*testCase) {
	o.mu.Lock()
	defer o.mu.Unlock()
	worth := map[*testCase]float64{}
	var reach []*testCase
	for _, t := range tests {
		if t.reaches[m.Number] {
			reach = append(reach, t)
			worth[t] = o.expected(t, m) / (t.duration + overhead).Seconds()
		}
	}
	slices.SortStableFunc(reach, func(a, b *testCase) int { return cmp.Compare(worth[b], worth[a]) })
	took := time.Duration(0)
	for _, t := range reach {
		if last := len(all) - 1; last >= 0 && all[last][0].suite == t.suite && took+t.duration <= quick {
			all[last], took = append(all[last], t), took+t.duration
			continue
		}
		all, took = append(all, []*testCase{t}), t.duration
	}
	return all
}

// expected returns the expected probability that a test catches a mutant. It is the function's catch rate,
// with a prior of two mutants at the test's overall rate.
func (o *order) expected(t *testCase, m *schemata.Mutant) float64 {
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

// learn records the result of a batch. Failed is the name of the failed test; "" if none failed. The other
// tests of a failed batch are not counted. After a panic the failed test is unknown.
func (o *order) learn(batch []*testCase, m *schemata.Mutant, failed string) {
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
