package strategy_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample/strategy"
	"contend/model"
)

// near asserts that a share of many is what it should be, within five standard deviations.
func near(t *testing.T, want float64, times, of int, what string) {
	t.Helper()
	assert.InDelta(t, want, float64(times)/float64(of), 5*math.Sqrt(want*(1-want)/float64(of)), what)
}

// frequencies is how often each order came.
func frequencies(toy *toy, by strategy.Strategy, learn, n int) map[string]int {
	times := map[string]int{}
	schedules(toy, by, 1, learn+n, func(number int, order []int, _ []uint64) {
		if number >= learn {
			times[fmt.Sprint(order)]++
		}
	})
	return times
}

// Events at one node race: POS takes their orders with equal probability. One that races with the last of a chain comes
// behind it as often as it draws the lowest priority of all; a random walk decides at each step.
func TestPOS(t *testing.T) {
	const n = 40_000
	racing := &toy{}
	for from := range model.NodeID(3) {
		racing.chain(1, 0, from)
	}
	orders := frequencies(racing, strategy.POS{}, 0, n)
	assert.Len(t, orders, 6)
	for order, times := range orders {
		near(t, 1.0/6, times, n, order)
	}
	// What races with an event that happens draws again: of an event and a chain of two, it comes last in a quarter of the
	// schedules, and not in a third.
	again := &toy{}
	again.chain(1, 0, 1)
	again.chain(2, 0, 2)
	orders = frequencies(again, strategy.POS{}, 0, n)
	near(t, 1.0/4, orders["[1 2 0]"], n, "last")
	near(t, 1.0/4, orders["[1 0 2]"], n, "between")
	const length = 5
	last := &toy{}
	for i := range length {
		last.events = append(last.events, event{model.NodeID(length - i), 0, i - 1})
	}
	last.events = append(last.events, event{node: 1, from: 7, cause: none})
	for _, c := range []struct {
		by   strategy.Strategy
		want float64
	}{{strategy.POS{}, 1.0 / (length + 1)}, {strategy.Random{}, 1.0 / (1 << length)}} {
		behind := 0
		for order, times := range frequencies(last, c.by, 0, n) {
			if order == "[0 1 2 3 4 5]" {
				behind += times
			}
		}
		near(t, c.want, behind, n, fmt.Sprintf("%T", c.by))
	}
}

// Two chains of m and n events have (m+n)!/m!n! orders, and SURW takes each with the same probability, once it
// has learned how long they are.
func TestSURW(t *testing.T) {
	const n = 60_000
	two := &toy{}
	two.chain(2, 0, 1)
	two.chain(7, 0, 2)
	orders := frequencies(two, &strategy.SURW{}, 2048, n)
	assert.Len(t, orders, 36)
	for order, times := range orders {
		near(t, 1.0/36, times, n, order)
	}
}

// A tree of events has n!/∏(sizes of its trees) orders: also of these, each is as probable as another.
func TestSURWOfTrees(t *testing.T) {
	const n = 60_000
	// 0 causes 1 and 2, 2 causes 3; 4 causes 5: 6!/(4·2·2) orders.
	tree := &toy{events: []event{{0, 1, none}, {0, 2, 0}, {0, 3, 0}, {0, 4, 2}, {0, 5, none}, {0, 6, 4}}}
	orders := frequencies(tree, &strategy.SURW{}, 2048, n)
	assert.Len(t, orders, 45)
	for order, times := range orders {
		near(t, 1.0/45, times, n, order)
	}
}

// Behind an opening that it is not told of, SURW takes the orders of what is left with the same probability.
func TestSURWBehindAnOpening(t *testing.T) {
	const n = 60_000
	two := &toy{opened: 4}
	two.chain(5, 0, 1)
	two.chain(7, 0, 2)
	orders := frequencies(two, &strategy.SURW{}, 2048, n)
	assert.Len(t, orders, 56) // three events of the first chain and five of the second are left
	for order, times := range orders {
		near(t, 1.0/56, times, n, order)
	}
}

// A bug of depth d is found with at least the probability that is proved.
func TestPriorities(t *testing.T) {
	const n, length = 20_000, 10
	two := &toy{}
	two.chain(length, 0, 1)
	two.chain(length, 0, 2)
	for name, by := range map[string]strategy.Strategy{"pct": &strategy.PCT{}, "pctcp": &strategy.PCTCP{}} {
		t.Run(name, func(t *testing.T) {
			var found [4]int
			schedules(two, by, 1, n, func(_ int, order []int, _ []uint64) {
				at := map[int]int{}
				for i, place := range order {
					at[place] = i
				}
				second := func(i int) int { return at[length+i] }
				// Depth 1: a chain ends before the other begins. Depth 2: it does but for its last event. Depth 3: the other has a part of
				// its own between two parts of the first.
				if at[length-1] < second(0) {
					found[1]++
				}
				if at[4] < second(0) && second(length-1) < at[5] {
					found[2]++
				}
				if at[3] < second(0) && second(5) < at[4] && at[length-1] < second(6) {
					found[3]++
				}
			})
			for d := 1; d <= 3; d++ {
				least := 1 / (strategy.Depths * 2 * math.Pow(2*length, float64(d-1)))
				assert.GreaterOrEqual(t, float64(found[d])/n, least, "depth %d", d)
			}
		})
	}
}

// All schedules with k delays are made before those with k+1, each once, until there are none.
func TestDelays(t *testing.T) {
	free := &toy{}
	for from := range model.NodeID(4) {
		free.chain(1, from, from)
	}
	// Of four events three at most are delayed at the first choice, two at the second: (1+x+x²+x³)(1+x+x²)(1+x).
	counts := []int{1, 3, 5, 6, 5, 3, 1}
	by := strategy.NewDelays()
	seen, number := map[string]bool{}, 0
	for k, count := range counts {
		for range count {
			if k > 0 {
				assert.Equal(t, []string{most[k-1]}, by.Notes(), "schedule %d", number)
			}
			s, _ := by.Schedule(number, 1)
			order, _ := free.run(s)
			seen[fmt.Sprint(order)] = true
			by.Learn(number, s, strategy.Outcome{})
			number++
		}
	}
	assert.Len(t, seen, 24)
	assert.Equal(t, []string{"every schedule was made"}, by.Notes())
}

// most is what is said of all schedules with at most k delays.
var most = [...]string{"the schedule without delays was made", "every schedule with at most 1 delay was made", "every schedule with at most 2 delays was made",
	"every schedule with at most 3 delays was made", "every schedule with at most 4 delays was made", "every schedule with at most 5 delays was made"}

// Nothing is said to be complete, and nothing guaranteed, where anything else is chosen, in whichever schedule that was.
func TestNotesOfChoosers(t *testing.T) {
	for name, kind := range map[string]func() strategy.Strategy{
		"delays": func() strategy.Strategy { return strategy.NewDelays() },
		"pct":    func() strategy.Strategy { return &strategy.PCT{} },
		"pctcp":  func() strategy.Strategy { return &strategy.PCTCP{} },
	} {
		const schedules = 3
		for chooses := range schedules + 1 {
			by := kind()
			for number := range schedules {
				s, rest := by.Schedule(number, 1)
				(&toy{events: []event{{0, 1, none}, {1, 1, none}}}).run(s)
				if number == chooses {
					rest.Choose(2)
				}
				by.Learn(number, s, strategy.Outcome{})
			}
			notes := by.(interface{ Notes() []string }).Notes()
			assert.Equal(t, chooses < schedules, len(notes) == 0, "%s: something is chosen in schedule %d: %v", name, chooses, notes)
		}
	}
}

// soonest is the number of the first schedule that opens a lock, at most n, on the average of some seeds.
func soonest(toy *toy, kind func() strategy.Strategy, n int) (mean float64) {
	const seeds = 20
	for seed := range uint64(seeds) {
		first := n
		schedules(toy, kind(), seed+1, n, func(number int, _ []int, states []uint64) {
			if states[len(states)-1] == uint64(len(toy.opens)) {
				first = min(first, number)
			}
		})
		mean += float64(first) / seeds
	}
	return mean
}

// A strategy that learns opens a lock of 3⁷ orders far sooner than a random walk does.
func TestLearningOpensLock(t *testing.T) {
	lock := lock(1, 3, 2, 2, 1, 3, 1)
	random := soonest(lock, func() strategy.Strategy { return strategy.Random{} }, 6000)
	for name, kind := range map[string]func() strategy.Strategy{
		"reward":   func() strategy.Strategy { return &strategy.Reward{} },
		"coverage": func() strategy.Strategy { return &strategy.Coverage{} },
	} {
		mean := soonest(lock, kind, 6000)
		t.Logf("%s: %.0f schedules, a random walk %.0f", name, mean, random)
		assert.Less(t, mean*3, random, name)
	}
}

// Each strategy is a function of seed, number and what it learned, though schedules of a round begin in any order. Some events
// happen without a choice, and the environment has steps of its own.
func TestRoundsInAnyOrder(t *testing.T) {
	two := &toy{}
	two.chain(5, 0, 1)
	two.chain(5, 0, 2)
	two.chain(5, 1, 2)
	two.boots, two.faults = 2, true
	for _, k := range strategy.All() {
		a, b := k.New(), k.New()
		for at := 0; at < 256; at += 16 {
			var first, second [16]string
			var learn, again [16]strategy.Scheduler
			for i := range 16 {
				s, _ := a.Schedule(at+i, uint64(at+i))
				order, _ := two.run(s)
				first[i], learn[i] = fmt.Sprint(order), s
			}
			for i := 15; i >= 0; i-- {
				s, _ := b.Schedule(at+i, uint64(at+i))
				order, _ := two.run(s)
				second[i], again[i] = fmt.Sprint(order), s
			}
			require.Equal(t, first, second, "%s: round from %d", k.Name, at)
			for i := range 16 {
				a.Learn(at+i, learn[i], strategy.Outcome{})
				b.Learn(at+i, again[i], strategy.Outcome{})
			}
		}
	}
}

// A system in which an event causes itself until all others happened comes to that with every strategy, even if it leaves behind
// more and more of what causes itself, too.
func TestFair(t *testing.T) {
	endless := &toy{loops: true, steps: 3000}
	endless.chain(1, 0, 1)
	endless.chain(4, 1, 2)
	more := &toy{floods: true, steps: 10_000}
	more.chain(1, 0, 1)
	more.chain(1, 1, 0)
	more.chain(4, 2, 2)
	for name, system := range map[string]*toy{"endless": endless, "more and more": more} {
		for _, k := range strategy.All() {
			schedules(system, k.New(), 1, 512, func(number int, order []int, _ []uint64) {
				assert.Less(t, len(order), 1000, "%s, %s: schedule %d", name, k.Name, number)
			})
		}
	}
}

// A schedule that ended at a violation is made again, and goes on then: none is missed behind it.
func TestViolatedSchedulesAreMadeAgain(t *testing.T) {
	free := &toy{}
	for from := range model.NodeID(4) {
		free.chain(1, from, from)
	}
	for _, by := range []interface {
		strategy.Strategy
		strategy.Noter
	}{strategy.NewDelays(), strategy.NewDeviations()} {
		seen := map[string]int{}
		number := 0
		for ; fmt.Sprint(by.Notes()) != "[every schedule was made]"; number++ {
			require.Less(t, number, 100)
			s, _ := by.Schedule(number, 1)
			short := *free
			if number == 3 {
				short.steps = 1 // it ends at a violation
			}
			order, _ := short.run(s)
			seen[fmt.Sprint(order)]++
			by.Learn(number, s, strategy.Outcome{Violated: number == 3})
		}
		assert.Len(t, seen, 24+1)
		assert.Equal(t, 24+1, number)
	}
}

// An event that is delayed comes behind all others, in the first step as in those after it.
func TestDelayPutsAnEventBehindAllOthers(t *testing.T) {
	free := &toy{}
	for from := range model.NodeID(3) {
		free.chain(1, from, from)
	}
	by := strategy.NewDeviations()
	var orders [][]int
	for number := range 3 {
		s, _ := by.Schedule(number, 1)
		order, _ := free.run(s)
		orders = append(orders, order)
		by.Learn(number, s, strategy.Outcome{})
	}
	assert.Equal(t, [][]int{{0, 1, 2}, {1, 2, 0}, {0, 2, 1}}, orders)
}

// The age of the next fault is the length of the longest chain so far. So a place that was reached with another longest chain is another
// place: a schedule that ended there would lose what follows a fault.
func TestPassedPlacesHaveTheAgeOfTheNextFault(t *testing.T) {
	// passing begins a schedule whose chains have lengths up to longest, and which comes to the place.
	passing := func(d *strategy.Deviations, number, longest int) (s strategy.Scheduler, passed bool) {
		s, choices := d.Schedule(number, 1)
		for step := 1; step <= longest+1; step++ {
			s.Observe(strategy.Step{Number: step, Event: strategy.Event{ID: int32(step), Cause: int32(step - 1)}})
		}
		return s, choices.(strategy.Planner).Passed(strategy.Place{7, 7})
	}
	for longest := range 4 {
		d := strategy.NewDeviations()
		s, passed := passing(d, 0, longest)
		assert.False(t, passed)
		d.Learn(0, s, strategy.Outcome{})
		for other := range 4 {
			_, passed := passing(d, 0, other)
			assert.Equal(t, other == longest, passed, "a chain of %d, then one of %d", longest, other)
		}
	}
}
