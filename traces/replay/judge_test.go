package replay_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
)

// A window is over behind its end, and at its end where that is open.
func TestDue(t *testing.T) {
	window := func(lo, hi model.Bound) replay.Due {
		return replay.DueOf(&world.Event{Born: 3, Window: model.Window{Lo: lo, Hi: hi}}, 2)
	}
	for _, c := range []struct {
		due  replay.Due
		text string
		past []bool // at 6, 7, 8
	}{
		{window(model.Through(1), model.Through(2)), "[5/2, 7/2]", []bool{false, false, true}},
		{window(model.Below(1), model.Below(2)), "(5/2, 7/2)", []bool{false, true, true}},
		{window(model.Through(1), model.Through(model.Forever)), "[5/2, ∞)", []bool{false, false, false}},
		{window(model.Below(0), model.Below(model.Forever)), "(3/2, ∞)", []bool{false, false, false}},
	} {
		assert.Equal(t, c.text, c.due.String(2))
		for i, want := range c.past {
			assert.Equal(t, want, c.due.Past(world.Time(6+i)), "%s at %d", c.text, 6+i)
		}
	}
}

// The number of a cost is for the last step, or for the whole run once it has ended.
func TestCosts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*traces.Trace)
		text   string
	}{
		"as it is":              {func(*traces.Trace) {}, ""},
		"another number":        {func(tr *traces.Trace) { tr.Cost.Number = 4 }, "the trace ends, but messages per operation does not come to 4"},
		"an earlier step":       {func(tr *traces.Trace) { tr.Steps = tr.Steps[:len(tr.Steps)-1] }, "the trace ends, but messages per operation does not come to 5"},
		"behind the step":       {func(tr *traces.Trace) { tr.Steps = append(tr.Steps, tick) }, "the trace ends, but messages per operation does not come to 5"},
		"what no cost is":       {func(tr *traces.Trace) { tr.Cost.Name = "money" }, `trace: cost: protocol mixed has no cost "money"`},
		"beside a claim":        {func(tr *traces.Trace) { tr.Claim = "few" }, "trace: cost: a trace that names a cost names no claim and nothing watched"},
		"beside a watched one":  {func(tr *traces.Trace) { tr.Watched = []string{"few"} }, "trace: cost: a trace that names a cost names no claim and nothing watched"},
		"without the last of b": {func(tr *traces.Trace) { tr.Cost.Number, tr.Cost.Name = 5, "messages" }, "the trace ends, but messages does not come to 5"},
	} {
		tr := asked(t)
		tr.Cost = &traces.Cost{Name: "messages per operation", Number: 5}
		c.change(tr)
		_, err := replay.Replay(mixed, tr, nil)
		if c.text == "" {
			assert.NoError(t, err, name)
		} else {
			assert.EqualError(t, err, c.text, name)
		}
	}
}

// tick is the step of c's alarm.
var tick = traces.Step{Kind: "timeout", To: "c", Type: "replay_test.word", Occurrence: 1, Value: toy.Raw(`"tick"`)}

// says returns the step of a message of mixed.
func says(from, to, w string, occurrence int, choices ...int) traces.Step {
	return traces.Step{Kind: "deliver", From: from, To: to, Type: "replay_test.word", Occurrence: occurrence, Value: toy.Raw(`"` + w + `"`), Choices: choices}
}

// asked returns an untimed run of mixed in which a's first operation returns.
func asked(t *testing.T) *traces.Trace {
	t.Helper()
	tr := traces.New(mixed, "", model.Config{N: 1}, false, "", "")
	tr.Boot = []int{1}
	tr.Steps = []traces.Step{
		{Kind: "invoke", To: "a", Type: "replay_test.word", Occurrence: 1, Value: toy.Raw(`"go"`)},
		says("a", "b", "x", 2, 0), says("a", "b", "x", 1, 2), says("b", "a", "r0", 1), says("b", "a", "r2", 2),
		{Kind: "return", To: "a", Type: "replay_test.word", Occurrence: 1, Value: toy.Raw(`"done"`)},
	}
	return &tr
}

// All claims that apply to such a system are monitored, unless the trace lists some. The violated claim is
// always monitored.
func TestWatched(t *testing.T) {
	given := append(mixed.Statements(), model.Claim{Name: "object", Kind: model.Linearizable})
	for name, c := range map[string]struct {
		claim   string
		watched []string
		given   []model.Claim
		want    []string
		text    string
	}{
		"what is claimed":           {"", nil, nil, []string{"few"}, ""},
		"and a property":            {"none", nil, nil, []string{"few", "none"}, "the trace ends, but none is not violated"},
		"what is listed":            {"", []string{"none"}, nil, []string{"none"}, ""},
		"what can be watched of it": {"", []string{"object", "few"}, given, []string{"few"}, ""},
		"what is not there":         {"", []string{"few", "many"}, nil, nil, `trace: watched: protocol mixed has no claim "many"`},
		"not what is violated":      {"few", []string{"none"}, nil, nil, `trace: claim is "few", but no claim of that name is watched`},
		"that handlers fail":        {model.NoHandlerFails, []string{"few"}, nil, []string{"few"}, "the trace ends, but " + model.NoHandlerFails + " is not violated"},
	} {
		tr := asked(t)
		tr.Claim, tr.Watched = c.claim, c.watched
		run, err := replay.Replay(mixed, tr, c.given)
		if c.text == "" {
			assert.NoError(t, err, name)
		} else {
			assert.EqualError(t, err, c.text, name)
		}
		if run != nil {
			assert.Equal(t, c.want, run.Watched, name)
		} else {
			assert.Nil(t, c.want, name)
		}
	}
}

// The error lists at most three possible steps. It never lists a message to another node.
func TestNear(t *testing.T) {
	tr := asked(t)
	tr.Steps[3].Occurrence = 9
	_, err := replay.Replay(mixed, tr, nil)
	assert.ErrorContains(t, err, "no such message is in flight, only replay_test.word #1, replay_test.word #2")
	tr.Steps[3] = says("c", "a", "x", 9)
	_, err = replay.Replay(mixed, tr, nil)
	assert.EqualError(t, err, `step 4 (deliver c→a replay_test.word #9): no such message is in flight`)
	tr.Steps[3] = says("a", "b", "x", 9)
	_, err = replay.Replay(mixed, tr, nil)
	assert.EqualError(t, err, `step 4 (deliver a→b replay_test.word #9): no such message is in flight`)
	four := traces.New(burst, "", model.Config{}, false, "", "")
	for n, want := range map[int]string{3: "only string #1, string #2, string #3", 4: "only string #1, string #2, string #3, …", 5: "only string #1, string #2, string #3, …"} {
		four.Config.Settings = []model.Setting{model.N.Is(n)}
		four.Steps = []traces.Step{{Kind: "deliver", From: "s", To: "r", Type: "string", Occurrence: 9, Value: toy.Raw(`"m"`)}}
		_, err = replay.Replay(burst, &four, nil)
		assert.EqualError(t, err, "step 1 (deliver s→r string #9): no such message is in flight, "+want)
	}
}

// burst is a protocol whose node sends n messages in Start.
var burst = &model.Protocol{Name: "burst", Params: []model.Parameter{model.N.WithDefault(1)}, Build: func(c model.Config) (*model.System, error) {
	return &model.System{
		Faults: c.Faults, Types: []any{""}, Network: model.Network{Delay: model.Anytime()}, Nodes: []model.NodeSpec{
			{Name: "s", New: func() model.Node { return &burster{n: c.N} }}, {Name: "r", New: func() model.Node { return &sink{} }},
		},
	}, nil
}}

type burster struct{ n int }

func (b *burster) Start(env model.Env) {
	for range b.n {
		env.Send(1, "m")
	}
}

func (*burster) Receive(model.Env, model.NodeID, any) {}

// Before its first step a run has the initial effects and holds of the nodes, and its variant. The states are
// the states before any step.
func TestTheBeginningOfARun(t *testing.T) {
	tr := asked(t)
	run, err := replay.Replay(mixed, tr, nil)
	require.NoError(t, err)
	assert.Empty(t, run.Title)
	assert.Len(t, run.Holds, 4)
	assert.Len(t, run.Initial, 2, "an operation and an alarm")
	first := run.First()
	require.Len(t, first, 4)
	assert.Equal(t, &mixer{}, first[0])
	assert.Equal(t, &mixer{}, first[1])
	assert.Equal(t, &mixer{}, first[2], "nothing happened there")
	assert.Nil(t, first[3])
	assert.Equal(t, 1, run.Records[0].After.(*mixer).Kept)
}

// A record has the node or the environment that chose a message.
func TestWhoChose(t *testing.T) {
	tr := asked(t)
	tr.Steps = append(tr.Steps, traces.Step{Kind: "forge", From: "liar", To: "c", Type: "replay_test.word", Value: toy.Raw(`"other lie"`), Adversary: "replay"})
	run, err := replay.Replay(mixed, tr, nil)
	require.NoError(t, err)
	assert.Equal(t, "replay", run.Records[6].By)
	assert.Equal(t, word("other lie"), run.Records[6].Move.Value)
	assert.Equal(t, model.NodeID(3), run.Records[6].Move.From)
}

// A step of the environment with an unknown name or an invalid value is refused with the reason.
func TestWhatTheEnvironmentCannotDo(t *testing.T) {
	faults := model.Faults{Crashes: 1, Partitions: 1, Suspicions: 1}
	for text, step := range map[string]traces.Step{
		`step 1 (partition nobody value.Side): there is no node "nobody"`:            {Kind: "partition", To: "nobody", Type: "value.Side", Value: toy.Raw("[0]")},
		`step 1 (mistake nobody value.NodeID): there is no node "nobody"`:            {Kind: "mistake", To: "nobody", Type: "value.NodeID", Value: toy.Raw("0")},
		`step 1 (forge liar→nobody replay_test.word): there is no node "nobody"`:     {Kind: "forge", From: "liar", To: "nobody", Type: "replay_test.word", Value: toy.Raw(`"lie"`)},
		`step 1 (forge nobody→a replay_test.word): "nobody" is not a Byzantine node`: {Kind: "forge", From: "nobody", To: "a", Type: "replay_test.word", Value: toy.Raw(`"lie"`)},
		`step 1 (crash network): there is no node "network"`:                         {Kind: "crash", To: traces.Network},
		`step 1 (heal network value.Side #1): the network is not cut so`:             {Kind: "heal", To: traces.Network, Type: "value.Side", Occurrence: 1},
		`step 1 (trust a value.NodeID #1): no such report is under way`:              {Kind: "trust", To: "a", Type: "value.NodeID", Occurrence: 1},
		`step 1 (suspect a value.NodeID #1): no such report is under way`:            {Kind: "suspect", To: "a", Type: "value.NodeID", Occurrence: 1},
		`step 1 (duplicate a→b replay_test.word #1): no such message is in flight`:   {Kind: "duplicate", From: "a", To: "b", Type: "replay_test.word", Occurrence: 1},
		`step 1 (return a replay_test.word #1): no such result is returned`:          {Kind: "return", To: "a", Type: "replay_test.word", Occurrence: 1},
		`step 1 (release a replay_test.word #1): no such release is due`:             {Kind: "release", To: "a", Type: "replay_test.word", Occurrence: 1},
	} {
		if step.Type != "" && step.Value == nil {
			step.Value = toy.Raw(`"x"`)
		}
		faulty := traces.New(mixed, "", model.Config{N: 1, Faults: faults}, false, "", "")
		faulty.Boot, faulty.Steps = []int{1}, []traces.Step{step}
		_, err := replay.Replay(mixed, &faulty, nil)
		assert.EqualError(t, err, text)
	}
}

// A step that is not from a file may have any content, so its content is checked.
func TestFindingSteps(t *testing.T) {
	for _, timed := range []bool{true, false} {
		tr := traces.New(mixed, "", model.Config{N: 1}, timed, "", "")
		r, err := replay.Begin(mixed, &tr, nil, 6)
		require.NoError(t, err)
		_, _, text := r.Find(traces.Step{Kind: "leap", To: "a", At: "0"})
		assert.Contains(t, text, `kind "leap" is not one of`)
		at, err := r.At(traces.Step{At: "5/2"})
		require.NoError(t, err)
		assert.Equal(t, map[bool]world.Time{true: 15, false: 0}[timed], at)
		if _, _, text = r.Find(traces.Step{Kind: "crash", To: "a", At: "soon"}); timed {
			assert.Contains(t, text, `at is "soon"`)
			at, err = r.At(traces.Step{At: "soon"})
			assert.Error(t, err)
			assert.Zero(t, at)
		}
	}
}

// The window of an event that is open at its beginning does not have that.
func TestOpenWindows(t *testing.T) {
	for at, want := range map[string]string{"1": "step 3 (deliver a→b replay_test.word #1): it cannot happen at 1: its window is (2, 4)", "2": "step 3 (deliver a→b replay_test.word #1): it cannot happen at 2: its window is (2, 4)",
		"4": "step 3 (deliver a→b replay_test.word #1): it cannot happen at 4: its window is (2, 4)", "3": ""} {
		tr := asked(t)
		timed := traces.New(mixed, "", model.Config{N: 2}, true, "", "")
		timed.Boot, timed.Steps = []int{0}, []traces.Step{tick, tr.Steps[0], says("a", "b", "x", 1, 0)}
		timed.Steps[0].At, timed.Steps[1].At, timed.Steps[2].At = "1", "1", at
		_, err := replay.Replay(mixed, &timed, nil)
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

// Old names of types are read as the current names. A run has the title of its variant, and a whole trace
// uses whole ticks.
func TestNamesOfARun(t *testing.T) {
	old := *mixed
	old.Variants = []model.Variant{{Name: "v", Title: "as it was", Edit: func(s *model.System) { s.Renamed = map[string]string{"was.word": "replay_test.word"} }}}
	tr := asked(t)
	tr.Variant = "v"
	for i := range tr.Steps {
		tr.Steps[i].Type = "was.word"
	}
	run, err := replay.Replay(&old, tr, nil)
	require.NoError(t, err)
	assert.Equal(t, "as it was", run.Title)
	assert.EqualValues(t, 1, run.Parts)
}

// If the forged messages of a liar cannot be computed, a handler fails, though no step shows it.
func TestForgeFails(t *testing.T) {
	failing := *mixed
	failing.Build = func(c model.Config) (*model.System, error) {
		s, err := mixed.Build(c)
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { panic("no alphabet") }
		return s, err
	}
	tr := asked(t)
	tr.Claim = model.NoHandlerFails
	_, err := replay.Replay(&failing, tr, nil)
	assert.NoError(t, err)
	tr.Claim = ""
	run, err := replay.Replay(&failing, tr, nil)
	require.NoError(t, err)
	assert.Empty(t, run.World.Violations, "nobody asks")
}

// What a variant waives is no reason not to watch a claim.
func TestWatchedOfAVariant(t *testing.T) {
	bold := *mixed
	bold.Variants = []model.Variant{{Name: "bold", Waives: map[string][]model.Assumption{"few at times": {model.Timed}}, Edit: func(*model.System) {}}, {Name: "plain", Edit: func(*model.System) {}}}
	for variant, want := range map[string][]string{"": {"few"}, "plain": {"few"}, "bold": {"few at times", "few"}} {
		tr := asked(t)
		tr.Variant = variant
		run, err := replay.Replay(&bold, tr, nil)
		require.NoError(t, err)
		assert.Equal(t, want, run.Watched, variant)
	}
}
