package doubt

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search/component"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// A hearer sends itself letters, one after the other, and keeps the number of the last. What it is given last is no letter but an end.
type hearer struct {
	heard    func() *heard // which handlers change, so that it is no configuration
	settings *settings
	Last     int
}

type settings struct{ volume int }

type (
	letter struct {
		Number int
		Keys   map[int]int
	}
	end struct{}
)

// heard says how many letters there are, of which the first mapped have maps of two entries, or each of so many more than the one
// before, and which numbers were heard.
type heard struct {
	letters, mapped int
	more            int
	numbers         []int
	each            func(h *hearer)
}

func (h *hearer) next(env model.Env, number int) {
	of := h.heard()
	if number == of.letters {
		env.Send(0, end{})
		return
	}
	l := letter{Number: number, Keys: map[int]int{1: 1}}
	if number < of.mapped {
		for key := range 1 + of.more*number {
			l.Keys[2+key] = 2
		}
	}
	env.Send(0, l)
}

func (h *hearer) Start(env model.Env) {
	h.next(env, 0)
	h.heard().hears(h, h.heard().letters+1)
}

func (h *hearer) Receive(env model.Env, _ model.NodeID, m any) {
	of := h.heard()
	number := of.letters
	if l, ok := m.(letter); ok {
		number = l.Number
		h.next(env, number+1)
	}
	h.Last = number
	of.hears(h, number)
}

// hears is told of each run of a handler: of letters by their numbers, then the end, and then Start.
func (of *heard) hears(h *hearer, number int) {
	of.numbers = append(of.numbers, number)
	if of.each != nil {
		of.each(h)
	}
}

// searched takes all steps of a hearer, and forgets what was heard.
func searched(t *testing.T, of *heard) *step.Engine {
	t.Helper()
	s := &model.System{Types: []any{letter{}, end{}}, Network: model.Network{Delay: model.Anytime()},
		Nodes: []model.NodeSpec{{Name: "h", New: func() model.Node {
			return &hearer{heard: func() *heard { return of }, settings: &settings{}}
		}}}}
	codec, err := value.For(s, nil)
	require.NoError(t, err)
	w := step.NewWorker(step.NewEngine(component.NewStore(s, codec, nil, false, component.Closing)))
	var left [][]uint32
	w.Emit = func(v []uint32) { left = append(left, slices.Clone(v)) }
	for w.Initial(); len(left) > 0; {
		v := left[0]
		left = left[1:]
		step.SortParts(v[w.Head:])
		w.Expand(v, w.PrintOfState(v))
	}
	require.Equal(t, of.letters+2, len(w.Engine.Reactions()))
	of.numbers = nil
	return w.Engine
}

// asked asks again, and returns how often each number was heard.
func asked(t *testing.T, of *heard, s Search) []int {
	t.Helper()
	s.Engine = searched(t, of)
	beats := 0
	Ask(s, func() {
		assert.Equal(t, beats, len(of.numbers), "each run of a handler is told of before")
		beats++
	})
	assert.Equal(t, len(of.numbers), beats, "each run of a handler is told of")
	times := make([]int, of.letters+2)
	for _, n := range of.numbers {
		times[n]++
	}
	return times
}

// sum is of the numbers from a place on.
func sum(numbers []int) (all int) {
	for _, n := range numbers {
		all += n
	}
	return all
}

// Each result is computed once more, the last first; where the search was stopped, some of them, evenly spread.
func TestResultsAreAskedOnceMore(t *testing.T) {
	for _, c := range []struct {
		results int
		stopped bool
		every   int
	}{
		{300, false, 1}, {2, false, 1},
		{128, true, 1}, {129, true, 2}, {256, true, 2}, {257, true, 3},
	} {
		of := &heard{letters: c.results - 2}
		asked(t, of, Search{Stopped: c.stopped, Often: c.stopped})
		var want []int
		for i := 0; i < c.results; i += c.every {
			if n := c.results - 2 - i; n >= 0 {
				want = append(want, n)
			} else {
				want = append(want, c.results-1) // Start is the first that was asked
			}
		}
		assert.Equal(t, want, of.numbers, "%+v", c)
	}
}

// A search of many steps has more runs.
func TestRunsOfALargeSearch(t *testing.T) {
	times := asked(t, &heard{letters: 4095}, Search{Steps: stepsPerRun - 1})
	assert.Equal(t, 2049, sum(times))
	times = asked(t, &heard{letters: 4095}, Search{Steps: stepsPerRun})
	assert.Equal(t, 4097, sum(times))
}

// A handler that is given a map of two entries runs in every turn that leaves a doubt: of these two were in the search, and
// a third when it was asked once more.
func TestMapsAreTurned(t *testing.T) {
	times := asked(t, &heard{letters: 5, mapped: 2}, Search{})
	all := value.Turns(2) - 2
	assert.Equal(t, []int{all, all, 1, 1, 1, 1, 1}, times)
	assert.Equal(t, []int{all, 1, 1}, asked(t, &heard{letters: 1, mapped: 1}, Search{}), "one such result is turned too")
	for _, more := range []int{1, 2} {
		times = asked(t, &heard{letters: 3, mapped: 3, more: more}, Search{})
		assert.Equal(t, []int{all, value.Turns(2+more) - 2, value.Turns(2+2*more) - 2, 1, 1}, times, "each runs as often as its own map needs")
	}
	times = asked(t, &heard{letters: 40, mapped: 40}, Search{Stopped: true})
	assert.Equal(t, runsWhenStopped, sum(times), "there are no more runs")
	assert.Equal(t, []int{1, 1}, times[40:])
}

// Where it is wanted all kinds of results are asked in turn as long as there are runs, and each kind often enough.
func TestKindsAreAskedOften(t *testing.T) {
	times := asked(t, &heard{letters: 3}, Search{Often: true})
	assert.Equal(t, slices.Repeat([]int{1 + runsPerKind}, 5), times, "in each pass each result is asked once")

	const letters = 400
	of := &heard{letters: letters}
	times = asked(t, of, Search{Often: true, Steps: 7 * stepsPerRun})
	assert.Equal(t, runsAtLeast+7, sum(times))
	assert.Equal(t, slices.Repeat([]int{1 + runsPerKind}, 3), []int{times[0], times[letters], times[letters+1]},
		"kinds that have one result have their share, and the first letter changes nothing")
	passes, seen, ends := of.numbers[letters+2:], map[int]bool{}, 0
	for _, n := range passes {
		if n == letters {
			ends++
		}
	}
	assert.Equal(t, runsPerKind, ends)
	for _, n := range passes[:(runsAtLeast+7-letters-2)/runsPerKind] {
		assert.False(t, seen[n], "%d is asked twice in the first pass", n)
		seen[n] = true
	}
	least, most := slices.Min(times[1:letters]), slices.Max(times[1:letters])
	assert.Less(t, most-least, 25, "the runs are spread")

	times = asked(t, &heard{letters: 500, mapped: 500}, Search{Often: true})
	assert.Equal(t, runsAtLeast+4*runsPerKind, sum(times), "maps have taken all runs, but there are four kinds")
	assert.Equal(t, []int{1 + runsPerKind, 1 + runsPerKind}, times[500:], "after the maps they are asked no less")
}

// Only the last pass looks whether a handler leaves its configuration alone.
func TestTheLastPassLooksAtConfigurations(t *testing.T) {
	for run, found := range map[int]bool{5 + 5*(runsPerKind-2) + 1: true, 5 + 5*runsPerKind + 1: false} {
		of := &heard{letters: 3}
		e := searched(t, of)
		runs := 0
		of.each = func(h *hearer) {
			if runs++; runs == run {
				h.settings.volume++
			}
		}
		why := step.FailureOf(func() { Ask(Search{Engine: e, Often: true}, func() {}) })
		if !found {
			assert.Empty(t, why)
			continue
		}
		assert.Contains(t, why, "changes its configuration")
		assert.Less(t, 5+5*(runsPerKind-1), runs, "it is found in the last pass")
	}
}

// What the last run of all writes to the node of the run before is found in the end.
func TestTheEndLooksAtWhatIsLeft(t *testing.T) {
	of := &heard{letters: 3}
	e := searched(t, of)
	runs, before := 0, (*hearer)(nil)
	of.each = func(h *hearer) {
		if runs++; runs == 5+5*runsPerKind {
			before.Last = 99
		}
		before = h
	}
	why := step.FailureOf(func() { Ask(Search{Engine: e, Often: true}, func() {}) })
	assert.Contains(t, why, "was written to after it had returned, in field Last (")
	assert.Equal(t, 5+5*runsPerKind, runs)
}

// Passes are in an order that is drawn: the kinds change places, and so do the results of one.
func TestTheOrderIsDrawn(t *testing.T) {
	of := &heard{letters: 20}
	asked(t, of, Search{Often: true})
	passes := of.numbers[22:]
	ends, orders := map[int]bool{}, map[int]bool{}
	for pass := range runsPerKind {
		ends[slices.Index(passes[22*pass:22*pass+22], 20)] = true
		orders[passes[22*pass+4]] = true
	}
	assert.Equal(t, map[int]bool{0: true, 1: true, 2: true, 3: true}, ends)
	assert.Greater(t, len(orders), 10)
	d := &repetition{rng: rand.New(rand.NewPCG(1, 1))}
	d.pass(nil, 0, 1) // there may be nothing to ask
}

// A pass asks each kind once, however few runs it has, and goes on until it has had them or there are none at all.
func TestAPassHasItsRuns(t *testing.T) {
	for _, c := range []struct{ left, runs, want int }{
		{10, 1, 3}, {10, 3, 3}, {10, 4, 4}, {10, 5, 5}, {10, 9, 6}, {2, 1, 2}, {2, 2, 2}, {4, 4, 4}, {0, 0, 0}, {0, 3, 0},
	} {
		of := &heard{letters: 4}
		e := searched(t, of)
		all := e.Reactions()
		kinds := [][]*step.Call{{&all[0], &all[1]}, {&all[2], &all[3]}, {&all[4], &all[5]}}
		d := &repetition{e, c.left, rand.New(rand.NewPCG(1, 1)), func() {}}
		d.pass(kinds, 3, c.runs)
		assert.Len(t, of.numbers, c.want, "%+v", c)
		assert.Equal(t, c.left-c.want, d.left)
	}
}
