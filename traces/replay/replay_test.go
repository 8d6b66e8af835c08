package replay_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/impl"
	"contend/impl/backoff"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
)

// The steps that the cases below are made of.
var (
	ticks  = traces.Step{Kind: "timeout", To: "s1", Type: "toy.tick", Occurrence: 1, At: "2", Value: toy.Raw(`{}`)}
	forged = traces.Step{Kind: "forge", From: "liar", To: "c1", Type: "toy.answer", At: "1", Value: toy.Raw(`{"Is":1}`)}
	crash  = traces.Step{Kind: "crash", To: "s1", At: "1"}
)

// with edits a copy of a step.
func with(s traces.Step, edit func(*traces.Step)) traces.Step {
	edit(&s)
	return s
}

// Two configurations: one without faults, and one with a fault of each kind.
var (
	none = model.Config{}
	two  = model.Config{N: 2, Faults: model.Faults{Suspicions: 1}}
	one  = model.Config{Faults: model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1}}
)

// divergences has the ways in which a trace can fail to be a run, with the first step that shows each.
var divergences = []struct {
	name  string
	trace *traces.Trace
	step  int
	text  string
}{
	{"wrong occurrence", toy.Trace(none, true, "", nil, toy.Invoke, with(toy.Ask, func(s *traces.Step) { s.Occurrence = 2 })), 2,
		"step 2 (deliver c1→s1 toy.question #2): no such message is in flight, only toy.question #1"},
	{"wrong type", toy.Trace(none, true, "", nil, toy.Invoke, with(toy.Ask, func(s *traces.Step) { s.Type = "toy.answer" })), 2,
		"step 2 (deliver c1→s1 toy.answer #1): no such message is in flight, only toy.question #1"},
	{"a step is missing", toy.Trace(none, true, "", nil, toy.Ask), 1,
		"step 1 (deliver c1→s1 toy.question #1): no such message is in flight"},
	{"unknown node", toy.Trace(none, true, "", nil, with(toy.Invoke, func(s *traces.Step) { s.To = "c2" })), 1,
		"step 1 (invoke c2 toy.call #1): no such operation is to be invoked"},
	{"no alarm", toy.Trace(none, true, "", nil, toy.Invoke, with(ticks, func(s *traces.Step) { s.To = "c1" })), 2,
		"step 2 (timeout c1 toy.tick #1): no such alarm is set"},
	{"altered value", toy.Trace(none, true, "", nil, toy.Invoke, toy.Ask, with(toy.Two, func(s *traces.Step) { s.Value = toy.Raw(`{"Is":1}`) })), 3,
		`step 3 (deliver s1→c1 toy.answer #1): value is {"Is":2}, but the trace records {"Is":1}`},
	{"value of another shape", toy.Trace(none, true, "", nil, toy.Invoke, toy.Ask, with(toy.Two, func(s *traces.Step) { s.Value = toy.Raw(`{"Was":1}`) })), 3,
		`step 3 (deliver s1→c1 toy.answer #1): value: toy.answer: toy.answer has no field "Was"`},
	{"missing choice", toy.Trace(none, true, "", nil, toy.Invoke, with(toy.Ask, func(s *traces.Step) { s.Choices = nil })), 2,
		"step 2 (deliver c1→s1 toy.question #1): it asks for choice 1 (choose, 0 to 1), but the trace records 0"},
	{"extra choice", toy.Trace(none, true, "", nil, toy.Invoke, with(toy.Ask, func(s *traces.Step) { s.Choices = []int{1, 0} })), 2,
		"step 2 (deliver c1→s1 toy.question #1): it takes only 1 of the 2 choices that the trace records"},
	{"choice out of range", toy.Trace(none, true, "", nil, toy.Invoke, with(toy.Ask, func(s *traces.Step) { s.Choices = []int{2} })), 2,
		"step 2 (deliver c1→s1 toy.question #1): choice 1 (choose) is 2, but must be 0 to 1"},
	{"time runs backwards", toy.Trace(none, true, "", nil, toy.Invoke, with(toy.Ask, func(s *traces.Step) { s.At = "1/2" })), 2,
		"step 2 (deliver c1→s1 toy.question #1): time runs backwards: it is at 1/2, after a step at 1"},
	{"too early", toy.Trace(none, true, "", nil, with(toy.Invoke, func(s *traces.Step) { s.At = "1/2" })), 1,
		"step 1 (invoke c1 toy.call #1): it cannot happen at 1/2: its window is [1, 3]"},
	{"too late", toy.Trace(none, true, "", nil, toy.Invoke, with(toy.Ask, func(s *traces.Step) { s.At = "5/2" })), 2,
		"step 2 (deliver c1→s1 toy.question #1): it cannot happen at 5/2: its window is [1, 2]"},
	{"something else is overdue", toy.Trace(none, true, "", nil, with(toy.Invoke, func(s *traces.Step) { s.At = "5/2" })), 1,
		"step 1 (invoke c1 toy.call #1): it cannot happen at 5/2: first, timeout s1 toy.tick #1 must, in [2, 2]"},
	{"the first is overdue", toy.Trace(one, true, "", nil, ticks, with(crash, func(s *traces.Step) { s.At = "7/2" })), 2,
		"step 2 (crash s1): it cannot happen at 7/2: first, invoke c1 toy.call #1 must, in [1, 3]"},
	{"not the head of its channel, in time", toy.Trace(one, true, "", nil, toy.Invoke,
		with(toy.Ask, func(s *traces.Step) { s.Kind, s.Choices = "duplicate", nil }), with(toy.Ask, func(s *traces.Step) { s.Occurrence, s.At = 2, "2" })), 3,
		"step 3 (deliver c1→s1 toy.question #2): an earlier message on its channel is still in flight"},
	{"another claim is violated", toy.Trace(none, true, "patience", nil, toy.Invoke, toy.Ask, toy.Two), 4,
		"the trace ends, but patience is not violated"},
	{"no value of a false suspicion", toy.Trace(two, true, "", nil, traces.Step{Kind: "mistake", To: "c1", Type: "value.NodeID", At: "1", Value: toy.Raw(`"x"`)}), 1, ""},
	{"the environment waits too long", toy.Trace(one, true, "", nil, with(crash, func(s *traces.Step) { s.At = "7/3" })), 1,
		"step 1 (crash s1): it cannot happen at 7/3: first, timeout s1 toy.tick #1 must, in [2, 2]"},
	{"too late to count", toy.Trace(none, true, "", nil, with(toy.Invoke, func(s *traces.Step) { s.At = "999999999999999999/1000000" }), with(toy.Ask, func(s *traces.Step) { s.At = "999999999999999999" })), 1,
		"step 1 (invoke c1 toy.call #1): it cannot happen at 999999999999999999/1000000: its window is [1, 3]"},
	{"later than there is time", toy.Trace(none, true, "", nil, with(toy.Invoke, func(s *traces.Step) { s.At = "999999999999999999" }), with(toy.Ask, func(s *traces.Step) { s.At = "1/1000000" })), 1,
		"step 1 (invoke c1 toy.call #1): at is 999999999999999999/1, which is too late to count in parts of 1/1000000 tick"},
	{"an open end", toy.Trace(none, true, "", nil, toy.Invoke, toy.Ask, toy.Two,
		traces.Step{Kind: "return", To: "c1", Type: "int", Occurrence: 1, At: "3/2", Value: toy.Raw("2")}, ticks,
		traces.Step{Kind: "release", To: "c1", Type: "toy.leave", Occurrence: 1, At: "7/2", Value: toy.Raw("{}")}), 6,
		"step 6 (release c1 toy.leave #1): it cannot happen at 7/2: its window is [5/2, 7/2)"},
	{"not the head of its channel", toy.Trace(one, false, "", nil, untimed(toy.Invoke),
		untimed(with(toy.Ask, func(s *traces.Step) { s.Kind, s.Choices = "duplicate", nil })),
		untimed(with(toy.Ask, func(s *traces.Step) { s.Occurrence = 2 }))), 3,
		"step 3 (deliver c1→s1 toy.question #2): an earlier message on its channel is still in flight"},
	{"no budget", toy.Trace(none, true, "", nil, crash), 1,
		"step 1 (crash s1): the environment has no crash to spend at s1"},
	{"no node", toy.Trace(one, true, "", nil, with(crash, func(s *traces.Step) { s.To = "s9" })), 1,
		`step 1 (crash s9): there is no node "s9"`},
	{"up already", toy.Trace(one, true, "", nil, with(crash, func(s *traces.Step) { s.Kind = "restart" })), 1,
		"step 1 (restart s1): the environment has no restart to spend at s1"},
	{"honest node", toy.Trace(none, true, "", nil, with(forged, func(s *traces.Step) { s.From = "s1" })), 1,
		`step 1 (forge s1→c1 toy.answer): "s1" is not a Byzantine node`},
	{"outside the alphabet", toy.Trace(none, true, "", nil, with(forged, func(s *traces.Step) { s.Value = toy.Raw(`{"Is":3}`) })), 1,
		`step 1 (forge liar→c1 toy.answer): liar cannot forge toy.answer {"Is":3} now`},
	{"forgery of an unknown type", toy.Trace(none, true, "", nil, with(forged, func(s *traces.Step) { s.Type = "main.x" })), 1,
		`step 1 (forge liar→c1 main.x): value: type "main.x" is not one of the protocol's`},
	{"forgery to a crashed node", toy.Trace(one, true, "", nil, crash, with(forged, func(s *traces.Step) { s.To = "s1" })), 2,
		"step 2 (forge liar→s1 toy.answer): nothing can arrive at s1 now"},
	{"alarm of another claim", toy.Trace(none, true, "", []string{"patience"}, toy.Invoke,
		traces.Step{Kind: "expire", To: "two", Type: "toy.late", Occurrence: 1, At: "2", Value: toy.Raw("{}")}), 2,
		"step 2 (expire two toy.late #1): no such alarm is set"},
	{"claim not violated", toy.Trace(none, true, "two", nil, toy.Invoke, toy.Ask), 3,
		"the trace ends, but two is not violated"},
	{"goal may be reached", toy.Trace(none, true, "in the end", nil, toy.Invoke), 2,
		"the trace ends, but the run goes on, and may reach the goal of in the end"},
	{"goal reached", toy.Trace(one, true, "always possible", nil, with(crash, func(s *traces.Step) { s.To = "c1" })), 2,
		"the trace ends, but the goal of always possible is reached"},
}

// Each divergence is named, with the run before it.
func TestDivergence(t *testing.T) {
	for _, c := range divergences {
		t.Run(c.name, func(t *testing.T) {
			run, err := replay.Replay(toy.Protocol, c.trace, nil)
			var d *replay.Divergence
			require.ErrorAs(t, err, &d)
			if c.text != "" {
				require.Equal(t, c.text, d.Text)
			}
			require.Equal(t, c.step, d.Step)
			require.Len(t, run.Records, c.step-1, "the steps before")
			require.Equal(t, c.step-1, run.World.Steps, "and no other was taken")
		})
	}
}

func untimed(s traces.Step) traces.Step {
	s.At = ""
	return s
}

// The claim that a trace names must be violated.
func TestViolation(t *testing.T) {
	expire := traces.Step{Kind: "expire", To: "patience", Type: "toy.late", Occurrence: 1, At: "2", Value: toy.Raw("{}")}
	for claim, tr := range map[string]*traces.Trace{
		"two":             toy.Trace(model.Config{}, true, "two", nil, toy.Invoke, toy.Ask, toy.Two),
		"patience":        toy.Trace(model.Config{}, true, "patience", nil, toy.Invoke, expire),
		"always possible": toy.Trace(model.Config{}, false, "always possible", nil, untimed(toy.Invoke)),
	} {
		t.Run(claim, func(t *testing.T) {
			_, err := replay.Replay(toy.Protocol, tr, nil)
			require.NoError(t, err)
		})
	}
}

// A trace with answers that nobody requests at the beginning is refused, and so is a trace for another
// version.
func TestReplayRefuses(t *testing.T) {
	for text, edit := range map[string]func(tr *traces.Trace){
		"trace: boot: as the run begins only 0 of the 1 choices are taken that the trace records": func(tr *traces.Trace) { tr.Boot = []int{0} },
		"trace: version is 0, but this tool reads version 1":                                      func(tr *traces.Trace) { tr.Version = 0 },
	} {
		tr := toy.Trace(model.Config{}, true, "two", nil, toy.Invoke, toy.Ask, toy.Two)
		edit(tr)
		_, err := replay.Replay(toy.Protocol, tr, nil)
		require.EqualError(t, err, text)
	}
}

// resized returns the configuration of a trace with another setting.
func resized(tr *traces.Trace, s model.Setting) traces.Config {
	c := tr.Config
	c.Settings = append(slices.DeleteFunc(slices.Clone(c.Settings), func(old model.Setting) bool { return old.Name == s.Name }), s)
	return c
}

// A step beyond a cut is not possible.
func TestBeyondCut(t *testing.T) {
	pass, err := traces.Load("../testdata/backoff-pass.json")
	require.NoError(t, err)
	pass.Config = resized(pass, backoff.Tries.Is(1))
	_, err = replay.Replay(backoff.Protocol, pass, nil)
	require.ErrorContains(t, err, "the move leads beyond the cut tries")
}

// A trace that does not fit the protocol is bad input.
func TestForeign(t *testing.T) {
	for _, c := range []struct {
		name  string
		edit  func(*traces.Trace)
		text  string
		given []model.Claim
	}{
		{"protocol", func(tr *traces.Trace) { tr.Protocol = "paxos" }, `trace: protocol is "paxos", but this is toy`, nil},
		{"variant", func(tr *traces.Trace) { tr.Variant = "x" }, `trace: protocol toy has no variant "x"; the verb list names them`, nil},
		{"range", func(tr *traces.Trace) { tr.Config = resized(tr, model.N.Is(33)) }, "trace: n is 33, but must be 1 to 32", nil},
		{"config", func(tr *traces.Trace) { tr.Config = resized(tr, model.N.Is(4)) }, "trace: n is above 3", nil},
		{"parameter", func(tr *traces.Trace) { tr.Config = resized(tr, backoff.Tries.Is(2)) }, "trace: tries is 2, but protocol toy has no such parameter: it reads n, clients, delay, section", nil},
		{"network", func(tr *traces.Trace) { tr.Config.Network = model.StableNetwork }, "trace: network is stable, but protocol toy has no such network", nil},
		{"twice", func(tr *traces.Trace) { tr.Config.Settings = []model.Setting{model.N.Is(1), model.N.Is(2)} }, `trace: config: a parameter is named "n", but needs a name of its own`, nil},
		{"claim", func(tr *traces.Trace) { tr.Claim = "x" }, `trace: claim is "x", but no claim of that name is watched`, nil},
		{"judged elsewhere", func(tr *traces.Trace) { tr.Claim = "object" }, `trace: claim is "object", but no claim of that name is watched`, nil},
		{"witness", func(tr *traces.Trace) { tr.Claim = "seen" }, `trace: claim is "seen", but that is a witness, which no run violates`, nil},
		{"not given", func(tr *traces.Trace) { tr.Claim = "two" }, `trace: claim is "two", but no claim of that name is watched`, toy.Claim(t, toy.Protocol, "progress")},
		{"watched", func(tr *traces.Trace) { tr.Watched = []string{"x"} }, `trace: watched: protocol toy has no claim "x"`, nil},
		{"denominators", func(tr *traces.Trace) {
			tr.Steps = []traces.Step{with(toy.Invoke, func(s *traces.Step) { s.At = "1/1000003" }), with(toy.Ask, func(s *traces.Step) { s.At = "1/3" })}
		}, "trace: step 2: at is 1/3, but then the times have no common denominator up to 1048576", nil},
		{"invalid", func(tr *traces.Trace) { tr.Steps = []traces.Step{{Kind: "invoke"}} }, "trace: step 1: to is missing", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := toy.Trace(model.Config{}, true, "", nil)
			c.edit(tr)
			run, err := replay.Replay(toy.Protocol, tr, c.given)
			require.ErrorContains(t, err, c.text)
			require.Nil(t, run)
		})
	}
}

// A run of backoff with a step removed or changed is another run or none.
func TestEveryEditIsSeen(t *testing.T) {
	pass, err := traces.Load("../testdata/backoff-pass.json")
	require.NoError(t, err)
	run, err := replay.Replay(backoff.Protocol, pass, nil)
	require.NoError(t, err)
	for i := range pass.Steps {
		dropped := *pass
		dropped.Steps = slices.Delete(slices.Clone(pass.Steps), i, i+1)
		other, err := replay.Replay(backoff.Protocol, &dropped, nil)
		if err == nil {
			require.NotEqual(t, toy.Ending(run.World), toy.Ending(other.World), "without step %d", i+1)
		}
		for name, edit := range map[string]func(*traces.Step){
			"occurrence": func(s *traces.Step) { s.Occurrence += 7 },
			"choice":     func(s *traces.Step) { s.Choices = []int{0} },
			"to":         func(s *traces.Step) { s.To = "nobody" },
			"time":       func(s *traces.Step) { s.At = "99" },
			"value":      func(s *traces.Step) { s.Value = toy.Raw(`{"Retry":9,"Status":7}`) },
		} {
			edited := *pass
			edited.Steps = slices.Clone(pass.Steps)
			edit(&edited.Steps[i])
			_, err := replay.Replay(backoff.Protocol, &edited, nil)
			first := i + 1
			if name == "time" && i == 0 {
				first++ // a run may begin late, but then its next step is too early
			}
			var d *replay.Divergence
			require.ErrorAs(t, err, &d, "%s of step %d", name, i+1)
			require.Equal(t, first, d.Step)
		}
	}
}

// A replay records the effect of each step on its node.
func TestRunKeepsStates(t *testing.T) {
	run, err := replay.Replay(toy.Protocol, toy.Trace(model.Config{}, true, "", nil, toy.Invoke, toy.Ask, toy.Two), nil)
	require.NoError(t, err)
	require.Equal(t, 0, run.Records[2].Before.(*toy.Asker).Answer)
	require.Equal(t, 2, run.Records[2].After.(*toy.Asker).Answer)
	require.Equal(t, int64(2), run.Parts)
	require.NotEmpty(t, run.Initial)
}

// A configuration from a file is at worst refused.
func TestWildConfigs(t *testing.T) {
	sizes := []int64{-1 << 62, -1, 0, 1, 2, 7, 32, 1 << 62}
	rng := rand.New(rand.NewPCG(1, 0))
	size := func() int64 { return sizes[rng.IntN(len(sizes))] }
	refused := 0
	for range 3000 {
		p := impl.Suite[rng.IntN(len(impl.Suite))]
		c := model.Config{Beyond: rng.IntN(2) == 0}
		for _, param := range p.Params {
			d := param.Declared()
			if wild := rng.IntN(8); wild == 0 { // most of these are refused at once
				c = c.With(model.Setting{Name: d.Name, Value: size()})
			} else if wild < 4 {
				c = c.With(model.Setting{Name: d.Name, Value: rng.Int64N(11)})
			}
		}
		variant := ""
		if v := rng.IntN(len(p.Variants) + 1); v > 0 {
			variant = p.Variants[v-1].Name
		}
		tr := traces.New(p, variant, c, rng.IntN(2) == 0, "", "")
		if _, err := replay.Replay(p, &tr, nil); err != nil {
			refused++
			require.NotContains(t, err.Error(), "\n")
		}
	}
	require.Positive(t, refused)
	require.Less(t, refused, 3000)
}
