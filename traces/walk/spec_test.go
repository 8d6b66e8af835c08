package walk_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/walk"
)

// offered returns the offers of a walk, one a line.
func offered(w *walk.Walk) (all []string) {
	for _, o := range w.Offers() {
		fault := ""
		if o.Fault {
			fault = ", a fault"
		}
		all = append(all, fmt.Sprintf("%v: %s %s [%s, %s] at %d%s", o.Choice, o.Where, o.Text, o.Earliest, o.Latest, o.Node, fault))
	}
	return all
}

// Offers are listed node by node, and then the environment's offers. Each has the instants between which it
// may happen without another event being forced. Instants outside are refused.
func TestOffers(t *testing.T) {
	c := model.Config{N: 2, Faults: model.Faults{Loss: 1, Crashes: 1, Suspicions: 1}}
	for timed, want := range map[bool][]string{true: {
		"2: s1 alarm tick fires [2, 2] at 0",
		"3: s2 alarm tick fires [2, 2] at 1",
		"1: c1 invokes call [1, 2] at 2",
	}, false: {
		"2: s1 alarm tick fires [, ] at 0",
		"3: s2 alarm tick fires [, ] at 1",
		"1: c1 invokes call [, ] at 2",
	}} {
		header := traces.New(toy.Protocol, "", c, timed, "", "")
		w, err := walk.Begin(toy.Protocol, &header, nil, 0)
		require.NoError(t, err)
		got := offered(w)
		assert.Equal(t, want, got[:3])
		for _, o := range w.Offers()[3:] {
			assert.True(t, o.Fault)
			assert.Equal(t, o.Choice.Forged, o.Event() == nil && o.Kind == model.Forge)
		}
		if !timed {
			assert.ErrorContains(t, w.Take(w.Offers()[0], "1", nil), `at is "1", but this walk keeps no time`)
			assert.Empty(t, w.Now())
			continue
		}
		assert.Equal(t, "0", w.Now())
		assert.EqualError(t, w.Take(w.Offers()[2], "5/2", nil), "at is 5/2, but this may happen from 1 to 2")
		assert.EqualError(t, w.Take(w.Offers()[2], "1/2", nil), "at is 1/2, but this may happen from 1 to 2")
		require.NoError(t, w.Take(w.Offers()[2], "2", nil))
		assert.Equal(t, "2", w.Now())
		assert.Equal(t, "1@2", w.Place().String())
		require.NoError(t, w.Take(w.Offers()[0], "", nil))
		assert.Equal(t, "1@2.1", w.Place().String())
	}
}

// A choice that something else has to precede is not offered, and no place leads there.
func TestNotOfferedYet(t *testing.T) {
	header := traces.New(alarms, "", model.Config{}, true, "", "")
	w, err := walk.Begin(alarms, &header, nil, 0)
	require.NoError(t, err)
	assert.Equal(t, []string{`1: n alarm "a" fires [1, 1] at 0`}, offered(w))
	assert.EqualError(t, w.Go(walk.Choice{Number: 2}), "2 is not offered: what may happen next has 1 entries")
	require.NoError(t, w.Go(walk.Choice{Number: 1}))
	assert.Equal(t, []string{`1: n alarm "b" fires [2, 2] at 0`}, offered(w))
	assert.EqualError(t, w.Go(walk.Choice{Number: 2}), "2 is not offered: what may happen next has 1 entries")
	require.NoError(t, w.Go(walk.Choice{Number: 1}))
	assert.Equal(t, []string{`1: n alarm "c" fires [121/60, ] at 0`}, offered(w), "a bound that is open is not reached")
	require.NoError(t, w.Take(w.Offers()[0], "", nil))
	assert.Equal(t, "1.1.1@121/60", w.Place().String(), "the earliest instant is named where it stands for a bound that is open")
}

// alarms is a node with an alarm after one tick and another after two. The second sets a third alarm.
var alarms = &model.Protocol{Name: "alarms", Build: func(model.Config) (*model.System, error) {
	return &model.System{Types: []any{""}, Nodes: []model.NodeSpec{{Name: "n", New: func() model.Node { return &ringer{} }}}}, nil
}}

type ringer struct{ N int }

func (*ringer) Start(env model.Env) {
	env.After("a", model.Exactly(1))
	env.After("b", model.Exactly(2))
}

func (r *ringer) Timeout(env model.Env, key any) {
	if r.N++; key == "b" {
		env.After("c", model.Window{Lo: model.Below(0), Hi: model.Through(model.Forever)})
	}
}

// Random runs with faults of all kinds are walked along to where they end, and each place leads there again; of any other trace it is said which of its
// steps is none.
func TestWalksAlongRandomRuns(t *testing.T) {
	kinds := map[string]bool{}
	for seed := range uint64(60) {
		c := model.Config{N: 2, Faults: model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1, Suspicions: 1}}
		tr, is := toy.Drive(t, toy.Protocol, "", c, seed%2 == 0, toy.Watchable(toy.Protocol)[:1], seed)
		for _, s := range tr.Steps {
			kinds[s.Kind] = true
		}
		w, err := walk.Begin(toy.Protocol, tr, nil, len(tr.Steps))
		require.NoError(t, err)
		assert.Equal(t, toy.Ending(is), toy.Ending(w.Run().World))
		header := *tr
		header.Steps = nil
		there, err := walk.BeginAt(toy.Protocol, &header, nil, w.Place())
		require.NoError(t, err, "%v", w.Place())
		assert.Equal(t, toy.Ending(is), toy.Ending(there.Run().World))
		back, err := there.Trace()
		require.NoError(t, err)
		assert.Equal(t, kindsOf(tr), kindsOf(back))
		if len(tr.Steps) > 2 {
			wrong := *tr
			wrong.Steps = append(append([]traces.Step{}, tr.Steps[:2]...), traces.Step{Kind: "crash", To: "nobody", At: tr.Steps[2].At})
			for _, begin := range []func() (*walk.Walk, error){
				func() (*walk.Walk, error) { return walk.Begin(toy.Protocol, &wrong, nil, 3) },
				func() (*walk.Walk, error) { return walk.BeginAlong(toy.Protocol, &header, nil, &wrong) },
			} {
				_, err = begin()
				assert.EqualError(t, err, `step 3 (crash nobody): there is no node "nobody"`)
			}
		}
	}
	assert.Len(t, kinds, int(model.EventKinds)-2, "without cuts: %v", kinds)
}

func kindsOf(tr *traces.Trace) (all []string) {
	for _, s := range tr.Steps {
		all = append(all, s.Kind+" "+s.From+" "+s.To+" "+s.At+" "+string(s.Value))
	}
	return all
}

// A walk cannot begin with a trace that is not the protocol's.
func TestWhatBeginsNoWalk(t *testing.T) {
	header := traces.New(toy.Protocol, "", model.Config{}, true, "", "")
	other := header
	other.Protocol = "paxos"
	bad := header
	bad.Version = 0
	fine := header
	fine.Steps = []traces.Step{{Kind: "crash", To: "s1", At: "1/1000003"}}
	long := header
	long.Steps = []traces.Step{{Kind: "crash", To: "s1", At: "soon"}}
	at, err := walk.ParsePlace("1@1/1000003")
	require.NoError(t, err)
	for name, begin := range map[string]func() (*walk.Walk, error){
		"another protocol":           func() (*walk.Walk, error) { return walk.Begin(toy.Protocol, &other, nil, 0) },
		"another protocol's place":   func() (*walk.Walk, error) { return walk.BeginAt(toy.Protocol, &other, nil, nil) },
		"in another protocol":        func() (*walk.Walk, error) { return walk.BeginIn(toy.Protocol, &other, nil, 1) },
		"along another protocol":     func() (*walk.Walk, error) { return walk.BeginAlong(toy.Protocol, &other, nil, &header) },
		"along another version":      func() (*walk.Walk, error) { return walk.BeginAlong(toy.Protocol, &header, nil, &bad) },
		"too fine":                   func() (*walk.Walk, error) { return walk.Begin(toy.Protocol, &fine, nil, 1) },
		"too fine a place":           func() (*walk.Walk, error) { return walk.BeginAt(toy.Protocol, &header, nil, at) },
		"along what is too fine":     func() (*walk.Walk, error) { return walk.BeginAlong(toy.Protocol, &header, nil, &fine) },
		"an instant that is none":    func() (*walk.Walk, error) { return walk.Begin(toy.Protocol, &long, nil, 1) },
		"before the first":           func() (*walk.Walk, error) { return walk.Begin(toy.Protocol, &header, nil, -1) },
		"behind the last of no step": func() (*walk.Walk, error) { return walk.Begin(toy.Protocol, &header, nil, 1) },
	} {
		w, err := begin()
		assert.Error(t, err, name)
		if !strings.Contains(name, "place") {
			assert.Nil(t, w, name)
		}
	}
}

// The text of a place is complete for each choice.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]walk.Place{
		"":            nil,
		"3":           {{Number: 3}},
		"65535.65536": {{Number: 65535}, {Number: 65536}},
		"999999":      {{Number: 999999}},
		"f2.1":        {{Forged: true, Number: 2}, {Number: 1}},
		"3@5/2:0,1":   {{Number: 3, At: "5/2", Answers: []int{0, 1}}},
		"f10:7":       {{Forged: true, Number: 10, Answers: []int{7}}},
	} {
		got, err := walk.ParsePlace(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, text, want.String())
	}
	for _, text := range []string{"0", "01", "007", "1000000", "f0", "1:", "1:,1", "1@", "-1", "+1", "1.", ".1", "1@1/0", "1:12345678"} {
		_, err := walk.ParsePlace(text)
		assert.Error(t, err, text)
	}
	_, err := walk.ParsePlace(strings.Repeat("1.", walk.MaxPlace/2) + "1")
	assert.EqualError(t, err, "place has 1048577 bytes, but at most 1048576 are allowed")
	_, err = walk.ParsePlace(strings.Repeat("1.", walk.MaxPlace/2-1) + "11")
	assert.NoError(t, err)
	parts, err := walk.Place{{Number: 1, At: "1/2"}, {Number: 1}, {Number: 1, At: "2/3"}}.Parts()
	require.NoError(t, err)
	assert.EqualValues(t, 6, parts)
}

// The nearest state has the way to it, its distance, and the number of examined states. Progress is reported
// every sixteen states.
func TestTheNearestIsSoFar(t *testing.T) {
	p := deciding(decide{})
	header := traces.New(p, "", model.Config{}, false, "", "")
	w, err := walk.Begin(p, &header, nil, 0)
	require.NoError(t, err)
	is := func(n int) func([]model.Node) bool {
		return func(nodes []model.Node) bool { return nodes[1].(*decider).Is == n }
	}
	got := w.Nearest(walk.Seeking{Holds: is(2), States: 100})
	assert.Equal(t, "1:1.1", got.Place.String())
	assert.Equal(t, walk.Sought{Found: true, Place: got.Place, States: 5, Steps: 2}, got)
	assert.Equal(t, walk.Sought{States: 5, Steps: 3, Complete: true}, w.Nearest(walk.Seeking{Holds: is(3), States: 100}))
	assert.Equal(t, walk.Sought{States: 3, Steps: 1}, w.Nearest(walk.Seeking{Holds: is(3), States: 3}))
	assert.Equal(t, walk.Sought{States: 2, Steps: 1}, w.Nearest(walk.Seeking{Holds: is(3), States: 2}))
	takes(t, w, w.Offers()[0]) // it decides 2
	got = w.Nearest(walk.Seeking{Holds: is(2), States: 100})
	assert.Equal(t, "1:1.1", got.Place.String())
	assert.Equal(t, 1, got.Steps)

	ra := ricartagrawala.Protocol
	header = traces.New(ra, "", ra.Filled(model.Config{}.With(model.N.Is(2))), false, "", "")
	w, err = walk.Begin(ra, &header, nil, 0)
	require.NoError(t, err)
	var told [][2]int
	all := w.Nearest(walk.Seeking{Holds: func([]model.Node) bool { return false }, States: 1 << 20, Tell: func(states, steps int) { told = append(told, [2]int{states, steps}) }})
	assert.Len(t, told, all.States/16)
	for i, now := range told {
		assert.GreaterOrEqual(t, now[0], 16*(i+1))
		assert.Less(t, now[1], all.Steps+1)
		assert.Positive(t, now[1])
		assert.Less(t, now[1], now[0])
	}
}

// Forks and searches do not change a walk. Its trace is about the first violation.
func TestTheTraceOfAWalk(t *testing.T) {
	p := deciding(decide{})
	header := traces.New(p, "", model.Config{}, false, "", "")
	header.Claim, header.Loop = "never 2", 0
	kept, err := walk.ParsePlace("1:1.1")
	require.NoError(t, err)
	w, err := walk.BeginAt(p, &header, p.Claims, kept)
	require.NoError(t, err)
	tr, err := w.Trace()
	require.NoError(t, err)
	assert.Equal(t, "never 2", tr.Claim)
	assert.Equal(t, "it is 2", tr.Text)
	assert.Len(t, tr.Steps, 2)
	again, err := walk.BeginAt(p, tr, p.Claims, kept[:1])
	require.NoError(t, err)
	assert.Equal(t, 1, again.Steps(), "the steps of what it is a run of are not taken")
	assert.Empty(t, again.Run().Trace.Claim)
	assert.Empty(t, again.Run().Trace.Steps)
	some, err := walk.Begin(p, tr, p.Claims, 1)
	require.NoError(t, err)
	assert.Equal(t, 1, some.Steps())
	back, err := some.Trace()
	require.NoError(t, err)
	assert.Empty(t, back.Claim)
	fork := some.Fork()
	takes(t, fork, fork.Offers()[0])
	assert.Equal(t, 1, some.Steps())
	assert.Equal(t, 2, fork.Steps())
	assert.Equal(t, 1, some.Run().World.Steps)
	assert.Equal(t, "1:1.1", fork.Place().String())
	require.NoError(t, w.Back(1))
	assert.Equal(t, "1:1", w.Place().String())
	takes(t, w, w.Offers()[0])
	assert.Equal(t, "1:1.1", w.Place().String())
	assert.Equal(t, 2, len(w.Run().Records))
}

// Forged messages are offered, too, after all other offers. An invalid answer is requested again.
func TestLiesAndAnswers(t *testing.T) {
	header := traces.New(toy.Protocol, "", model.Config{}, false, "", "")
	w, err := walk.Begin(toy.Protocol, &header, nil, 0)
	require.NoError(t, err)
	all := w.Offers()
	assert.Equal(t, []string{"f1", "f2"}, []string{all[len(all)-2].Choice.String(), all[len(all)-1].Choice.String()})
	assert.Nil(t, all[len(all)-1].Event())
	assert.NotNil(t, all[0].Event())
	require.NoError(t, w.Go(walk.Choice{Number: 1}))
	assert.ErrorContains(t, w.Go(walk.Choice{Number: 0}), "0 is not offered")
	for _, o := range w.Offers() {
		if o.Kind != model.Deliver {
			continue
		}
		for _, answer := range []int{-1, 2, 3} {
			var ask *walk.Ask
			require.ErrorAs(t, w.Take(o, "", []int{answer}), &ask)
			assert.Equal(t, walk.Ask{What: "choose", Of: 2}, *ask)
			assert.Equal(t, "the step asks for an answer: choose, 0 to 1", ask.Error())
		}
		require.NoError(t, w.Take(o, "", []int{1}))
	}
	assert.Equal(t, 2, w.Steps())
}

// The search includes the environment: a state that only a fault reaches is found.
func TestNearestByFaults(t *testing.T) {
	header := traces.New(toy.Protocol, "", model.Config{Faults: model.Faults{Crashes: 1}}, false, "", "")
	w, err := walk.Begin(toy.Protocol, &header, nil, 0)
	require.NoError(t, err)
	got := w.Nearest(walk.Seeking{Holds: func(nodes []model.Node) bool { return nodes[1] == nil }, States: 5000})
	require.True(t, got.Found)
	assert.Len(t, got.Place, 1)
}

// Where a run turns is said by the last step after which another way was known, and the first after which none is.
func TestTurn(t *testing.T) {
	p := deciding(decide{})
	header := traces.New(p, "", model.Config{}, false, "", "")
	way, err := walk.ParsePlace("1:1.1")
	require.NoError(t, err)
	after := func(step int) (*walk.Walk, error) { return walk.BeginAt(p, &header, p.Claims, way[:step]) }
	got, err := walk.Turn(2, "never 2", 1000, nil, after)
	require.NoError(t, err)
	assert.Equal(t, 0, got.Avoidable)
	assert.Equal(t, 1, got.Inevitable)
	assert.Equal(t, "1:0.1", got.Other.String())
	assert.Equal(t, "Step 1 made it inevitable. After step 0 the run could still go on without breaking the claim.", got.String())
	gone := errors.New("gone")
	_, err = walk.Turn(2, "never 2", 1000, nil, func(int) (*walk.Walk, error) { return nil, gone })
	assert.ErrorIs(t, err, gone)
	always := *p
	always.Claims = []model.Claim{{Name: "never 2", Invariant: func(nodes []model.Node) error {
		if nodes[1].(*decider).Is > 0 {
			return errors.New("it is decided")
		}
		return nil
	}}}
	got, err = walk.Turn(2, "never 2", 1000, nil, func(step int) (*walk.Walk, error) { return walk.BeginAt(&always, &header, always.Claims, way[:step]) })
	require.NoError(t, err)
	assert.Equal(t, walk.Turning{Avoidable: -1, Inevitable: 0}, got)
	for want, is := range map[string]walk.Turning{
		"It is inevitable from the beginning: unless a fault prevents it, every run breaks the claim.":                   {Avoidable: -1},
		"Step 3 made it inevitable at the latest: no run that avoids it was found before, but not all were tried.":       {Avoidable: -1, Inevitable: 3},
		"One of the steps 2 to 4 made it inevitable. After step 1 the run could still go on without breaking the claim.": {Avoidable: 1, Inevitable: 4},
		"Step 1 made it inevitable. After step 0 the run could still go on without breaking the claim.":                  {Avoidable: 0, Inevitable: 1},
		"One of the steps 1 to 2 made it inevitable. After step 0 the run could still go on without breaking the claim.": {Avoidable: 0, Inevitable: 2},
	} {
		assert.Equal(t, want, is.String())
	}
}

// After a stop there is no result. A violation of another claim counts as avoiding this claim, unless a
// handler fails.
func TestWhatAvoids(t *testing.T) {
	p := deciding(decide{})
	header := traces.New(p, "", model.Config{}, false, "", "")
	stop := make(chan struct{})
	close(stop)
	w, err := walk.BeginAt(p, &header, p.Claims, nil)
	require.NoError(t, err)
	is, _ := walk.NewAvoiding("never 2", 1000, stop).From(w)
	assert.Equal(t, walk.Open, is)
	sent, err := walk.ParsePlace("1:1")
	require.NoError(t, err)
	w, err = walk.BeginAt(p, &header, p.Claims, sent)
	require.NoError(t, err)
	is, other := walk.NewAvoiding("another", 1000, nil).From(w)
	assert.Equal(t, walk.Avoidable, is, "never 2 breaks there, but that was not asked")
	assert.Equal(t, "1:1.1", other.String())
	fails := deciding(decide{})
	build := fails.Build
	fails.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		s.Nodes[1].New = func() model.Node { return &failing{} }
		return s, err
	}
	fails.Claims = nil
	w, err = walk.BeginAt(fails, &header, []model.Claim{}, nil)
	require.NoError(t, err)
	is, _ = walk.NewAvoiding("another", 1000, nil).From(w)
	assert.Equal(t, walk.Inevitable, is, "each run ends with a handler that fails")
}

// A fault that would prevent it does not make what breaks a claim avoidable.
func TestFaultsAvoidNothing(t *testing.T) {
	p := deciding(decide{})
	header := traces.New(p, "", model.Config{Faults: model.Faults{Loss: 1, Crashes: 1}}, false, "", "")
	sent, err := walk.ParsePlace("1:1")
	require.NoError(t, err)
	w, err := walk.BeginAt(p, &header, p.Claims, sent)
	require.NoError(t, err)
	require.Greater(t, len(w.Offers()), 1, "it might be lost")
	is, _ := walk.NewAvoiding("never 2", 1000, nil).From(w)
	assert.Equal(t, walk.Inevitable, is)
}

type failing struct{}

func (*failing) Receive(model.Env, model.NodeID, any) { panic("it cannot") }

// The text of a choice is made in one go, however many answers it has.
func TestTextOfManyAnswers(t *testing.T) {
	c := walk.Choice{Number: 1, At: "5/2", Answers: make([]int, 20_000)}
	text := c.String()
	assert.Equal(t, "1@5/2:0"+strings.Repeat(",0", 19_999), text)
	assert.Less(t, testing.AllocsPerRun(1, func() { _ = c.String() }), 100.0)
}
