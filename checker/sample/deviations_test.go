package sample

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample/stepper"
	"contend/checker/sample/strategy"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// drawBounded draws a small system with faults of several kinds.
func drawBounded(seed uint64) (*bounded, error) {
	r := rand.New(rand.NewPCG(seed, 71))
	c := random.Draw(seed)
	s := &bounded{system: c.System, claims: c.Claims, timed: r.IntN(3) == 0, judged: r.IntN(3) == 0, steps: 6 + r.IntN(15)}
	some := func(in int) int { return max(0, r.IntN(in)-in+3) }
	s.system.Faults = model.Faults{Loss: some(5), Duplication: some(4), Crashes: some(5), Restarts: some(4), Partitions: min(1, some(5))}
	for i := range s.system.Nodes {
		if !s.system.Nodes[i].Byzantine && r.IntN(2) == 0 {
			s.system.Nodes[i].Crash = []model.CrashModel{model.CrashStop, model.CrashRecovery, model.CrashStopRecovery}[r.IntN(3)]
		}
	}
	if s.system.Faults.Partitions > 0 {
		s.system.Network.Partition = []model.Window{{}, model.By(1), model.Anytime()}[r.IntN(3)]
	}
	var err error
	s.codec, err = value.For(s.system, s.claims)
	return s, err
}

// told passes the choices of a run on, but for those of its scheduler, and keeps its text. If it is alone, it never ends where another
// went on.
type told struct {
	strategy.Planner
	words strings.Builder
	alone bool
}

func (p *told) Choose(n int) int {
	is := p.Planner.Choose(n)
	p.words.WriteString(choiceText(n, is))
	return is
}

func (p *told) Passed(at strategy.Place) bool { return !p.alone && p.Planner.Passed(at) }

// A ledger holds the runs that the strategy makes against those that were made outright.
type ledger struct {
	*bounded
	runs   []*made
	most   int // deviations that they have
	alone  bool
	by     *strategy.Deviations
	byText map[string]int // the runs, by each text that they have behind their last deviation
	child  map[string][]int
	due    []map[int]bool // by deviations: the runs that are to be made, and whether they are
	level  int
	passed map[string]bool // places that runs went on from
	cut    map[int]int     // of a run, how many of its choices others lead on from
	seen   []map[string]bool
	ignore map[string]bool
	found  map[string]int // claims, by the deviations of the first run that violates each
	number int
	saved  int // runs that end where others went on
}

// key names the deviations of a script.
func key(script []int) string {
	text := ""
	for i, is := range script {
		if is > 0 {
			text += fmt.Sprint(i, ":", is, " ")
		}
	}
	return text
}

func newLedger(t *testing.T, s *bounded, runs []*made, most int, alone bool) *ledger {
	l := &ledger{bounded: s, runs: runs, most: most, alone: alone, by: strategy.NewDeviations(), byText: map[string]int{}, child: map[string][]int{},
		passed: map[string]bool{}, cut: map[int]int{}, ignore: map[string]bool{}, found: map[string]int{}, due: []map[int]bool{{}}, seen: []map[string]bool{{}}}
	for i, r := range runs {
		for _, at := range r.stops {
			was, is := l.byText[r.text[:at.text]]
			require.True(t, !is || was == i, "two runs have one text:\n%s", r.text[:at.text])
			l.byText[r.text[:at.text]] = i
		}
		if r.deviations == 0 {
			l.due[0][i] = false
		} else {
			of := key(r.script[:r.behind-1])
			l.child[of] = append(l.child[of], i)
		}
	}
	if alone {
		l.ignore[model.NoHandlerFails] = true
		for _, c := range s.claims {
			l.ignore[c.Name] = true
		}
	}
	return l
}

// led is a run that the strategy made.
type led struct {
	by     strategy.Scheduler
	plan   *told
	out    Outcome
	broken []string
}

// telling is a scheduler that tells of events as it chooses them, and of steps as they are taken.
type telling struct {
	strategy.Scheduler
	words *strings.Builder
	taken func()
}

func (s telling) Next(events []strategy.Event) int {
	is := s.Scheduler.Next(events)
	s.words.WriteString(nextText(int(events[is].ID) + 1))
	return is
}

func (s telling) Observe(step strategy.Step) {
	s.Scheduler.Observe(step)
	s.taken()
}

// run makes the strategy's run with a number.
func (l *ledger) run(t *testing.T, number int) (r led) {
	by, c := l.by.Schedule(number, uint64(number))
	r = led{by: by, plan: &told{Planner: c.(strategy.Planner), alone: l.alone}}
	w, err := l.start(r.plan.Choose)
	require.NoError(t, err)
	x := stepper.NewInterpreter(w)
	tell := func() { r.plan.words.WriteString(stepText(l.codec, x.Records[len(x.Records)-1])) }
	r.out = runFrom(x, r.plan, Bounds{World: l.reading(nil), MaxSteps: l.steps, Judged: l.judged, Ignore: l.ignore, Scheduler: telling{by, &r.plan.words, tell}}, nil)
	require.NoError(t, r.out.Err)
	for _, v := range append(slices.Clone(w.Violations), w.Missed()...) {
		if !l.alone && !l.ignore[v.Claim] && !slices.Contains(r.broken, v.Claim) {
			r.broken = append(r.broken, v.Claim)
		}
	}
	return r
}

// round makes some runs, and has the strategy learn from them. Those behind a run that violates a claim are made again, as the claim is
// ignored from then on. It reports whether there are more to make.
func (l *ledger) round(t *testing.T, size int) (more bool) {
	var round []led
	for i := range size {
		round = append(round, l.run(t, l.number+i))
	}
	known := maps.Clone(l.passed)
	require.False(t, round[0].plan.Open(), "no run is planned, but some are due")
	for _, r := range round {
		more := l.learn(t, r, known)
		l.number++
		if len(r.broken) > 0 || !more {
			return more
		}
	}
	return true
}

// learn holds a run against those that are due, and has the strategy learn from it. Known are the places that were passed when the
// round began.
func (l *ledger) learn(t *testing.T, r led, known map[string]bool) (more bool) {
	drawn := r.plan.Open() // it is none of the plan
	text := r.plan.words.String()
	if !drawn {
		i, is := l.byText[text]
		require.True(t, is, "a run has a wrong order, or more than %d deviations:\n%s", l.level, text)
		before, due := l.due[l.level][i]
		require.True(t, due, "a run with deviations %q is not due with %d", key(l.runs[i].script), l.level)
		require.False(t, before, "a run with deviations %q is made twice", key(l.runs[i].script))
		if len(r.broken) == 0 {
			l.made(t, i, r, text, known)
		}
	}
	for _, claim := range r.broken {
		if _, was := l.found[claim]; !was && !drawn {
			l.found[claim] = l.level
		}
		if !drawn {
			l.ignore[claim] = true
		}
	}
	l.by.Learn(l.number, r.by, strategy.Outcome{Violated: len(r.broken) > 0 && !drawn})
	return drawn || l.rises(t)
}

// made notes a run that is made.
func (l *ledger) made(t *testing.T, i int, r led, text string, known map[string]bool) {
	l.due[l.level][i] = true
	of := l.runs[i]
	for _, at := range of.states {
		if at.text <= len(text) {
			l.seen[l.level][at.state] = true
		}
	}
	at := slices.IndexFunc(of.stops, func(at stop) bool { return !l.alone && known[at.place] })
	if at < 0 {
		require.Equal(t, of.text, text, "a run with deviations %q ends too early, or too late", key(of.script))
	} else {
		require.Equal(t, of.text[:of.stops[at].text], text, "a run with deviations %q does not end where another went on", key(of.script))
		require.Equal(t, Passed, r.out.End)
		l.saved++
	}
	l.cut[i] = len(of.options)
	for _, at := range of.stops {
		if at.place == "" {
			continue
		}
		if !l.alone && l.passed[at.place] {
			l.cut[i] = at.choices
			return
		}
		l.passed[at.place] = true
	}
}

// rises goes on to one deviation more once all runs with so many are made, and reports whether there are any. What the strategy says of
// them is held against that.
func (l *ledger) rises(t *testing.T) bool {
	now := l.due[l.level]
	count := 0
	for _, is := range now {
		if is {
			count++
		}
	}
	if count < len(now) {
		if l.level > 0 {
			require.Equal(t, []string{fmt.Sprintf("%s was made, and %d of the %d with %d", complete(l.level-1), count, len(now), l.level)}, l.by.Notes())
		}
		return true
	}
	next, more := map[int]bool{}, 0
	for i := range now {
		r := l.runs[i]
		more += children(r.options[r.behind:max(r.behind, l.cut[i])])
		for _, child := range l.child[key(r.script)] {
			if l.runs[child].behind <= l.cut[i] {
				next[child] = false
			}
		}
	}
	if l.level < l.most {
		require.Len(t, next, more)
	}
	l.due, l.seen, l.level = append(l.due, next), append(l.seen, map[string]bool{}), l.level+1
	says := fmt.Sprintf("%s was made, and 0 of the %d with %d", complete(l.level-1), more, l.level)
	if more == 0 {
		says = "every schedule was made"
	}
	require.Equal(t, []string{says}, l.by.Notes())
	require.Equal(t, more == 0, l.by.Finished())
	return len(next) > 0
}

// complete names the runs with at most so many deviations.
func complete(deviations int) string {
	switch deviations {
	case 0:
		return "the schedule without deviations"
	case 1:
		return "every schedule with at most 1 deviation"
	}
	return fmt.Sprintf("every schedule with at most %d deviations", deviations)
}

// compare holds what the runs of all levels came to against brute force: the same states by at most as many deviations, and the first
// run that violates a claim has as few as may be.
func (l *ledger) compare(t *testing.T) {
	seen, all := map[string]bool{}, map[string]bool{}
	least, maybe := map[string]int{}, map[string]int{}
	lower := func(to map[string]int, claim string, deviations int) {
		if was, is := to[claim]; !is || deviations < was {
			to[claim] = deviations
		}
	}
	for level := range l.most + 1 {
		if level < len(l.seen) {
			maps.Copy(seen, l.seen[level])
		}
		for _, r := range l.runs {
			if r.deviations != level {
				continue
			}
			for _, at := range r.states {
				all[at.state] = true
			}
			for claim := range r.broken {
				lower(least, claim, level)
			}
			for claim := range r.maybe {
				lower(maybe, claim, level)
			}
		}
		for state := range all {
			require.True(t, seen[state], "no run with at most %d deviations comes to:\n%s", level, state)
		}
		require.Len(t, seen, len(all), "runs with at most %d deviations come to states that they cannot come to", level)
	}
	if l.alone {
		return
	}
	for claim, deviations := range least {
		found, is := l.found[claim]
		require.True(t, is, "%s is not violated, but by a run with %d deviations", claim, deviations)
		require.LessOrEqual(t, found, deviations, claim)
	}
	for claim, found := range l.found {
		deviations, is := maybe[claim]
		if known, knows := least[claim]; knows && (!is || known < deviations) {
			deviations, is = known, true
		}
		require.True(t, is, "%s is violated, but by no run with at most %d deviations", claim, l.most)
		require.GreaterOrEqual(t, found, deviations, claim)
	}
}

// The strategy makes the runs that brute force makes, level by level: each once, but for those that come to where others went on, none but
// these, and they come to the same states by as few deviations. Faults strike behind chains of several lengths.
func TestDeviationsAgainstBruteForce(t *testing.T) {
	const many = 800
	most := map[uint64]int{36: many, 148: many} // runs; in these restarts show what fewer do not
	for seed := range uint64(30) {
		most[seed] = 120
	}
	if *full {
		for seed := range uint64(300) {
			most[seed] = many
		}
	}
	count, chains := map[string]int{}, map[model.EventKind]map[int]bool{}
	for _, seed := range slices.Sorted(maps.Keys(most)) {
		s, err := drawBounded(seed)
		if err != nil {
			continue
		}
		runs, deviations, err := s.few(most[seed])
		if err != nil || deviations == 0 {
			continue
		}
		noteStrikes(runs, chains)
		about := fmt.Sprintf("system %d, %+v, %d deviations, timed %v, judged %v, %d steps", seed, s.system.Faults, deviations, s.timed, s.judged, s.steps)
		for _, alone := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, alone %v", about, alone), func(t *testing.T) {
				l, r := newLedger(t, s, runs, deviations, alone), rand.New(rand.NewPCG(seed, 72))
				for l.round(t, 1+r.IntN(1<<r.IntN(7))) {
				}
				l.compare(t)
				count["end where others went on"] += l.saved
				count["violate a claim first"] += len(l.found)
			})
		}
		count["runs"] += len(runs)
		count[complete(deviations)]++
	}
	t.Log(count)
	for _, kind := range []model.EventKind{model.Lose, model.Duplicate, model.Crash, model.Stop, model.Restart, model.Partition} {
		assert.Greater(t, len(chains[kind]), 2, kind)
	}
	assert.NotZero(t, count["end where others went on"])
	assert.NotZero(t, count["violate a claim first"])
}

// noteStrikes notes the lengths of the chains behind which faults strike.
func noteStrikes(runs []*made, chains map[model.EventKind]map[int]bool) {
	for _, r := range runs {
		for _, f := range r.struck {
			if chains[f.kind] == nil {
				chains[f.kind] = map[int]bool{}
			}
			chains[f.kind][f.chain] = true
		}
	}
}
