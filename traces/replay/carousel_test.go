package replay_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
)

// carousel is a protocol of a server with two alarms that it sets again and again. One turns it, and a third
// alarm is canceled in between. Its goal is position 2.
var carousel = &model.Protocol{Name: "carousel", Build: func(c model.Config) (*model.System, error) {
	return &model.System{
		Faults: c.Faults, Types: []any{"", 0}, Network: model.Network{Delay: model.Anytime()},
		Nodes: []model.NodeSpec{{Name: "s", New: func() model.Node { return &turner{} }}, {Name: "r", New: func() model.Node { return &sink{} }}},
	}, nil
}, Claims: []model.Claim{
	{Name: "stands", Kind: model.Eventually, Source: "nowhere", Monitor: stands}, {Name: "can stand", Kind: model.PossibleFromEverywhere, Monitor: stands},
	{Name: "likely stands", Kind: model.AlmostSurely, Source: "nowhere", Monitor: stands},
	{Name: "stops", Kind: model.Eventually, Source: "nowhere", Monitor: func(*model.System) model.Monitor { return &restless{} }},
}}

func stands(*model.System) model.Monitor { return &standing{} }

type (
	turner   struct{ At, Last int }
	standing struct{ At int }
)

func (*turner) Start(env model.Env) {
	for _, key := range []string{"turn", "idle", "now and then"} {
		env.After(key, model.Anytime())
	}
}

func (s *turner) Timeout(env model.Env, key any) {
	if env.After(key, model.Anytime()); key == "now and then" {
		s.Last = s.At
	}
	if key != "turn" {
		return
	}
	s.At = (s.At + 1) % 3
	if env.Note(s.At); s.At == 1 {
		env.Cancel("now and then")
	} else {
		env.After("now and then", model.Anytime())
	}
}

func (*turner) Receive(model.Env, model.NodeID, any) {}

func (s *standing) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		s.At = o.Value.(int)
	}
}

func (s *standing) Reached() bool { return s.At == 2 }

// rides returns a run of the carousel: t turns it, and i does nothing.
func rides(claim, steps string) *traces.Trace {
	tr := traces.New(carousel, "", model.Config{Faults: model.Faults{Crashes: 1}}, false, claim, "")
	occurrences := map[rune]int{'t': 1, 'i': 2}
	alarms := 3 // all alarms so far, with different names and the same type
	for _, s := range steps {
		step := traces.Step{Kind: "timeout", To: "s", Type: "string", Occurrence: occurrences[s], Value: toy.Raw(map[rune]string{'t': `"turn"`, 'i': `"idle"`}[s])}
		if s == 'x' {
			tr.Steps = append(tr.Steps, traces.Step{Kind: "crash", To: "r"})
			continue
		}
		tr.Steps = append(tr.Steps, step)
		alarms++
		occurrences[s] = alarms
		if at := turnsOf(tr.Steps) % 3; s == 't' && at != 1 {
			alarms++ // the third alarm is reset
		}
	}
	return &tr
}

func turnsOf(steps []traces.Step) (n int) {
	for _, s := range steps {
		if string(s.Value) == `"turn"` {
			n++
		}
	}
	return n
}

// A run that repeats its last steps for ever violates a claim that a goal is eventually reached, under three
// conditions: its loop is closed, it is fair, and no state of it is at the goal. For other claims neither
// fairness nor the goal matters.
func TestRounds(t *testing.T) {
	for name, c := range map[string]struct {
		claim, steps string
		loop         int
		point        *traces.NoReturn
		text         string
	}{
		"goal in the round":          {"stands", "ttti", 1, nil, "the trace ends, but step 2 of its loop reaches the goal of stands"},
		"goal in the round, later":   {"stands", "itttttt", 2, nil, "the trace ends, but step 3 of its loop reaches the goal of stands"},
		"goal where it is not asked": {"likely stands", "ttt", 1, nil, ""},
		"not closed":                 {"can stand", "ttt", 2, nil, "the trace ends, but its loop does not come back to the state before step 2"},
		"not asked to be fair":       {"can stand", "tttti", 2, nil, ""},
		"idle for ever":              {"stands", "i", 1, nil, "the trace ends, but its loop is not fair: timeout s string #1 can happen all the time, but never does"},
		"idle at last":               {"stands", "ttti", 4, nil, "the trace ends, but its loop is not fair: timeout s string #7 can happen all the time, but never does"},
		"without a round":            {"can stand", "t", 0, nil, ""},
		"at the goal":                {"can stand", "tt", 0, nil, "the trace ends, but the goal of can stand is reached"},
		"it goes on":                 {"stands", "ttt", 0, nil, "the trace ends, but the run goes on, and may reach the goal of stands"},
		"goal before the point":      {"can stand", "tttt", 0, &traces.NoReturn{After: 3}, ""},
		"goal behind it":             {"can stand", "tttttt", 0, &traces.NoReturn{After: 3}, "the trace ends, but step 5 reaches the goal of can stand, behind the point of no return"},
		"two goals behind it":        {"can stand", "tttttt", 0, &traces.NoReturn{After: 2}, "the trace ends, but step 2 reaches the goal of can stand, behind the point of no return"},
		"no point":                   {"can stand", "tttttt", 0, &traces.NoReturn{After: -1}, ""},
		"fair":                       {"stops", "ttti", 1, nil, ""},
		"fair later":                 {"stops", "tittti", 3, nil, ""},
		"one is left out":            {"stops", "ttt", 1, nil, "the trace ends, but its loop is not fair: timeout s string #2 can happen all the time, but never does"},
		"a crash in the round":       {"stands", "xi", 1, nil, "the trace ends, but its loop does not come back to the state before step 1"},
	} {
		tr := rides(c.claim, c.steps)
		tr.Loop, tr.NoReturn = c.loop, c.point
		_, err := replay.Replay(carousel, tr, nil)
		if c.text == "" {
			assert.NoError(t, err, name)
		} else {
			assert.EqualError(t, err, c.text, name)
		}
	}
}

// A run records the steps after which the state of each claim changes.
func TestTurnsOfEachClaim(t *testing.T) {
	tr := rides("", "titttt")
	tr.Watched = []string{"stands", "stops", "can stand", "likely stands"}
	run, err := replay.Replay(carousel, tr, nil)
	require.NoError(t, err)
	assert.Equal(t, map[string][]int{"stands": {3, 4, 6}, "can stand": {3, 4, 6}, "likely stands": {3, 4, 6}}, run.Turns)
}

// A run continues automatically with the earliest possible event, of several with the longest pending one,
// and with the first answers. The environment does nothing. A cut or an invalid run is an error.
func TestHowARunGoesOn(t *testing.T) {
	tr := asked(t)
	tr.Steps = tr.Steps[:1]
	tr.Config = configOf(mixed, model.Config{N: 1, Faults: model.Faults{Loss: 1, Crashes: 1, Restarts: 1, Partitions: 1}})
	run, err := replay.Replay(mixed, tr, nil)
	require.NoError(t, err)
	on, ended, err := run.Further(4)
	require.NoError(t, err)
	assert.False(t, ended)
	var told []string
	for _, r := range on.Records[1:] {
		for _, c := range r.Choices {
			assert.Zero(t, c.Is)
		}
		told = append(told, traces.Named(on.World, r.Move.Kind, r.Move.Event).String())
	}
	assert.Equal(t, []string{"timeout c replay_test.word #1", "deliver a→b replay_test.word #1", "deliver a→b replay_test.word #2", "deliver a→c replay_test.word #1"}, told)

	tr.Steps = append(tr.Steps, traces.Step{Kind: "crash", To: "nobody"})
	run, err = replay.Replay(mixed, tr, nil)
	require.Error(t, err)
	on, ended, err = run.Further(4)
	assert.EqualError(t, err, `step 2 (crash nobody): there is no node "nobody"`)
	assert.False(t, ended)
	assert.Nil(t, on)
	breaks, ok := run.Sooner(nil, 3)
	assert.False(t, breaks || ok, "there is no run to take again")
}

func configOf(p *model.Protocol, c model.Config) traces.Config {
	return traces.New(p, "", c, false, "", "").Config
}

// The trace has all answers that nodes get at the beginning of the run. A run that is built from the trace
// may omit the others.
func TestAnswersAsTheRunBegins(t *testing.T) {
	for text, boot := range map[string][]int{
		"trace: boot: it asks for choice 1 (choose, 0 to 1), but the trace records 0":             nil,
		"trace: boot: choice 1 (choose) is 2, but must be 0 to 1":                                 {2},
		"trace: boot: as the run begins only 1 of the 2 choices are taken that the trace records": {1, 0},
	} {
		tr := asked(t)
		tr.Boot = boot
		_, err := replay.Replay(mixed, tr, nil)
		assert.EqualError(t, err, text)
	}
	for boot, want := range map[int]string{-1: "[0, 3]", 0: "[0, 3]", 1: "[1, 3]"} {
		tr := traces.New(mixed, "", model.Config{N: 1}, true, "", "")
		if boot >= 0 {
			tr.Boot = []int{boot}
		}
		r, err := replay.Begin(mixed, &tr, nil, 4)
		require.NoError(t, err)
		run := r.Begun(mixed, &tr, nil)
		assert.EqualValues(t, 4, run.Parts)
		pending := run.Initial
		assert.Equal(t, want, replay.DueOf(pending[len(pending)-1], run.Parts).String(run.Parts), boot)
		assert.Equal(t, []string{"few at times", "few"}, run.Watched)
	}
}

// tossers is a protocol in which balls are tossed for ever. s and q each have one ball for r and one for p. s
// also has two equal balls for r, and r has an alarm of the same name.
var tossers = &model.Protocol{Name: "tossers", Build: func(model.Config) (*model.System, error) {
	return &model.System{Types: []any{""}, Network: model.Network{Delay: model.Anytime()}, Nodes: []model.NodeSpec{
		{Name: "s", New: func() model.Node { return &tosser{balls: []model.NodeID{2, 2, 3}} }}, {Name: "q", New: func() model.Node { return &tosser{balls: []model.NodeID{2, 3}} }},
		{Name: "r", New: func() model.Node { return &tosser{alarm: true} }}, {Name: "p", New: func() model.Node { return &tosser{} }},
	}}, nil
}, Claims: []model.Claim{{Name: "stops", Kind: model.Eventually, Source: "nowhere", Monitor: func(*model.System) model.Monitor { return &restless{} }}}}

type tosser struct {
	balls []model.NodeID
	alarm bool
}

func (s *tosser) Start(env model.Env) {
	for _, to := range s.balls {
		env.Send(to, "ball")
	}
	if s.alarm {
		env.After("ball", model.Anytime())
	}
}

func (*tosser) Receive(env model.Env, from model.NodeID, ball any) { env.Send(from, ball) }
func (*tosser) Timeout(env model.Env, key any)                     { env.After(key, model.Anytime()) }

// A loop is fair to equal messages if it takes one of them. A message of another sender or to another node,
// or an alarm, does not count.
func TestFairToWhatIsAlike(t *testing.T) {
	toss := func(from, to string, occurrence int) traces.Step {
		return traces.Step{Kind: "deliver", From: from, To: to, Type: "string", Occurrence: occurrence, Value: toy.Raw(`"ball"`)}
	}
	round := [][]traces.Step{
		{toss("s", "r", 2), toss("r", "s", 1)}, {toss("q", "r", 1), toss("r", "q", 1)}, {toss("s", "p", 1), toss("p", "s", 1)}, {toss("q", "p", 1), toss("p", "q", 1)},
		{{Kind: "timeout", To: "r", Type: "string", Occurrence: 1, Value: toy.Raw(`"ball"`)}},
	}
	for without, want := range []string{"deliver s→r string #1", "deliver q→r string #1", "deliver s→p string #1", "deliver q→p string #1", "timeout r string #1", ""} {
		tr := traces.New(tossers, "", model.Config{}, false, "stops", "")
		for i, steps := range round {
			if i != without {
				tr.Steps = append(tr.Steps, steps...)
			}
		}
		tr.Loop = 1
		_, err := replay.Replay(tossers, &tr, nil)
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, "the trace ends, but its loop is not fair: "+want+" can happen all the time, but never does")
		}
	}
}

// A heart beats forever, and postpones the alarm that would stop it.
type heart struct{}

func (heart) Start(env model.Env)                  { heart{}.Timeout(env, nil) }
func (heart) Receive(model.Env, model.NodeID, any) {}
func (heart) Timeout(env model.Env, _ any) {
	env.After("stop", model.Anytime())
	env.After("beat", model.Anytime())
}

// An alarm that is reset is a new alarm: a loop that postpones it each time is fair to it.
func TestFairToWhatIsPutOff(t *testing.T) {
	p := &model.Protocol{Name: "heart", Build: func(model.Config) (*model.System, error) {
		return &model.System{Types: []any{""}, Network: model.Network{Delay: model.Anytime()}, Nodes: []model.NodeSpec{{Name: "s", New: func() model.Node { return &heart{} }}}}, nil
	}, Claims: tossers.Claims}
	tr := traces.New(p, "", model.Config{}, false, "stops", "")
	for _, occurrence := range []int{2, 4} {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "timeout", To: "s", Type: "string", Occurrence: occurrence, Value: toy.Raw(`"beat"`)})
	}
	for tr.Loop = range 3 {
		_, err := replay.Replay(p, &tr, nil)
		if tr.Loop == 0 {
			assert.ErrorContains(t, err, "the run goes on")
		} else {
			assert.NoError(t, err)
		}
	}
}
