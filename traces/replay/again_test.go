package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
)

// post is a protocol of two clients whose alarms send letters to two servers. The servers note letters and
// choices.
var post = &model.Protocol{Name: "post", Build: func(c model.Config) (*model.System, error) {
	return &model.System{
		Faults: c.Faults, Types: []any{"", 0}, Network: model.Network{Delay: model.Between(1, 4)}, Nodes: []model.NodeSpec{
			{Name: "a", New: func() model.Node { return &poster{} }, Script: []model.Op{{Call: 0, After: model.Exactly(2)}}},
			{Name: "b", New: func() model.Node { return &poster{} }},
			{Name: "s", New: func() model.Node { return &reader{} }}, {Name: "r", New: func() model.Node { return &reader{} }},
		},
	}, nil
}}

type (
	poster struct{}
	reader struct{ N int }
	// spelled is violated once the notes equal the wanted notes.
	spelled struct {
		want string
		Got  []string
	}
)

// A poster sends two letters: m to both servers after one tick, n to the first after two.
func (*poster) Start(env model.Env) {
	env.After("m", model.Exactly(1))
	env.After("n", model.Exactly(2))
}

func (*poster) Invoke(env model.Env, _ any) { env.Note("invoked"); env.Return(0) }

func (*poster) Timeout(env model.Env, key any) {
	if env.Send(2, key); key == "m" {
		env.Send(3, key)
	}
}

func (*poster) Receive(model.Env, model.NodeID, any) {}

// A reader makes a choice of three for each letter. The first letter has another choice, and later ones query a
// hold.
func (r *reader) Receive(env model.Env, from model.NodeID, m any) {
	if r.N++; r.N == 1 {
		env.Hold("h", model.Below(2))
		env.After("echo", model.Between(1, 2))
		env.Note(fmt.Sprintf("%d %d %v %d %d", env.Self(), from, m, env.Choose(3), env.Choose(3)))
		return
	}
	env.Note(fmt.Sprintf("%d %d %v %v %d", env.Self(), from, m, env.Held("h"), env.Choose(2)))
}

func (r *reader) Timeout(env model.Env, key any) { env.Note(fmt.Sprintf("%d %v", env.Self(), key)) }

func (s *spelled) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		if s.Got = append(s.Got, fmt.Sprint(o.Value)); strings.Join(s.Got, ", ") == s.want {
			w.Violate("it is spelled so")
		}
	}
}

// rings returns the step of a poster's alarm, and letter the step of a message.
func rings(who, key string, at string) traces.Step {
	return traces.Step{Kind: "timeout", To: who, Type: "string", Occurrence: map[string]int{"m": 1, "n": 2}[key], At: at, Value: toy.Raw(`"` + key + `"`)}
}

func echo(who, at string) traces.Step {
	return traces.Step{Kind: "timeout", To: who, Type: "string", Occurrence: 1, At: at, Value: toy.Raw(`"echo"`)}
}

func letter(kind, from, to, m string, occurrence int, at string, choices ...int) traces.Step {
	return traces.Step{Kind: kind, From: from, To: to, Type: "string", Occurrence: occurrence, At: at, Value: toy.Raw(`"` + m + `"`), Choices: choices}
}

// After a message arrives sooner, the other steps follow as far as possible, with the recorded choices.
func TestWhatComesOfSooner(t *testing.T) {
	faults := model.Faults{Loss: 1, Duplication: 1, Crashes: 1}
	invoked := func(at string) traces.Step {
		return traces.Step{Kind: "invoke", To: "a", Type: "int", Occurrence: 1, At: at, Value: toy.Raw("0")}
	}
	returned := traces.Step{Kind: "return", To: "a", Type: "int", Occurrence: 1, At: "2", Value: toy.Raw("0")}
	am, an, bm, bn := rings("a", "m", "1"), rings("a", "n", "2"), rings("b", "m", "1"), rings("b", "n", "2")
	for name, c := range map[string]struct {
		timed  bool
		steps  []traces.Step
		sent   int // the step that sent the message; the first such message is requested
		before int
		want   string // the notes; "" where it cannot arrive
	}{
		"it keeps its answers": {false, []traces.Step{am, an, letter("deliver", "a", "s", "n", 2, "", 2, 1), letter("deliver", "a", "s", "m", 1, "", 1, 1)}, 1, 3,
			"2 0 m 1 0, 2 0 n true 1"},
		"it never arrived": {false, []traces.Step{am, an, letter("deliver", "a", "s", "n", 2, "", 0, 1)}, 1, 3, "2 0 m 0 0, 2 0 n true 0"},
		"it was lost":      {false, []traces.Step{am, an, letter("deliver", "a", "s", "n", 2, "", 0, 1), letter("lose", "a", "s", "m", 1, ""), invoked("")}, 1, 3, "2 0 m 0 0, 2 0 n true 0, invoked"},
		"of two alike one is left": {false, []traces.Step{am, letter("duplicate", "a", "s", "m", 1, ""), invoked(""), letter("deliver", "a", "s", "m", 1, "", 2, 2), letter("deliver", "a", "s", "m", 2, "", 1, 0)}, 1, 3,
			"2 0 m 2 2, invoked, 2 0 m false 0"},
		"of another sender": {false, []traces.Step{bm, am, an, letter("deliver", "a", "s", "n", 2, "", 1, 2), letter("deliver", "a", "s", "m", 1, "", 0, 1), letter("deliver", "b", "s", "m", 1, "", 1, 1)}, 2, 4,
			"2 0 m 1 0, 2 0 n true 1, 2 1 m false 1"},
		"to another server": {false, []traces.Step{am, invoked(""), letter("deliver", "a", "r", "m", 1, "", 1, 2), letter("deliver", "a", "s", "m", 1, "", 2, 2)}, 1, 2,
			"2 0 m 2 2, invoked, 3 0 m 1 2"},
		"it is lost nowhere else": {false, []traces.Step{bm, am, invoked(""), letter("lose", "a", "r", "m", 1, ""), letter("deliver", "b", "r", "m", 1, "", 2, 2)}, 2, 3,
			"2 0 m 0 0, invoked, 3 1 m 2 2"},
		"the receiver is down": {false, []traces.Step{am, {Kind: "crash", To: "s"}, invoked(""), letter("deliver", "a", "r", "m", 1, "", 1, 2)}, 1, 3, ""},
		"it was down later":    {false, []traces.Step{am, invoked(""), {Kind: "crash", To: "s"}, letter("deliver", "a", "r", "m", 1, "", 1, 2)}, 1, 3, "invoked, 2 0 m 0 0, 3 0 m 1 2"},
		"in its time":          {true, []traces.Step{am, bm, an, bn, invoked("2"), returned, letter("deliver", "a", "s", "n", 2, "3", 1, 0), letter("deliver", "a", "s", "m", 1, "5", 1)}, 1, 7, "invoked, 2 0 m 1 0, 2 0 n true 1"},
		"before its time":      {true, []traces.Step{am, bm, an, bn, invoked("2"), returned, letter("deliver", "a", "s", "m", 1, "5", 1, 2)}, 1, 2, ""},
		"before its own time":  {true, []traces.Step{am, bm, an, bn, invoked("2"), returned, letter("deliver", "a", "r", "m", 1, "2", 1, 0)}, 3, 7, ""},
		"what follows is earlier, too": {true, []traces.Step{am, bm, an, bn, invoked("2"), returned, letter("deliver", "a", "r", "m", 1, "3", 1, 0), letter("deliver", "a", "s", "m", 1, "5", 1, 2), echo("r", "5"), letter("deliver", "b", "r", "m", 1, "5", 0), letter("deliver", "b", "s", "m", 1, "5", 0), echo("s", "6")}, 1, 7,
			"invoked, 2 0 m 1 2, 3 0 m 1 0, 3 echo, 3 1 m false 0, 2 1 m false 0, 2 echo"},
		"a step has to be earlier": {true, []traces.Step{am, bm, an, bn, invoked("2"), returned, letter("deliver", "a", "r", "m", 1, "4", 1, 0), letter("deliver", "a", "s", "m", 1, "5", 1, 2)}, 1, 7, "invoked, 2 0 m 1 2, 3 0 m 1 0"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, want := range []string{c.want, c.want + ", more", "other"} {
				tr := traces.New(post, "", model.Config{Faults: faults}, c.timed, "spelled", "")
				if tr.Steps = append(tr.Steps, c.steps...); !c.timed {
					for i := range tr.Steps {
						tr.Steps[i].At = ""
					}
				}
				claim := model.Claim{Name: "spelled", Monitor: func(*model.System) model.Monitor { return &spelled{want: want} }}
				tr.Watched = []string{"spelled"}
				run, err := replay.Replay(post, &tr, []model.Claim{claim})
				var d *replay.Divergence
				require.ErrorAs(t, err, &d)
				require.Equal(t, "the trace ends, but spelled is not violated", d.Text)
				message := run.Records[c.sent-1].Sent[0]
				before := choicesOf(run)
				for range 2 { // a repeated query has the same answer
					breaks, ok := run.Sooner(message, c.before)
					assert.Equal(t, c.want != "", ok)
					assert.Equal(t, ok && want == c.want, breaks, want)
					assert.Equal(t, before, choicesOf(run), "the run stays as it is")
				}
			}
		})
	}
}

func choicesOf(run *replay.Run) (all []int) {
	for _, r := range run.Records {
		for _, c := range r.Choices {
			all = append(all, c.Is)
		}
	}
	return all
}

// A dater sends a letter to r after one tick, and the same one to s after six ticks and after nine.
type dater struct{ poster }

func (*dater) Start(env model.Env) {
	env.After("m", model.Exactly(1))
	env.After("n", model.Exactly(6))
	env.After("n again", model.Exactly(9))
}

func (*dater) Timeout(env model.Env, key any) {
	if key == "m" {
		env.Send(3, "m")
		return
	}
	env.Send(2, "n")
}

// Two equal messages keep their identity and their times, even if an earlier step cannot be repeated: the
// echo has to come before b crashes.
func TestSoonerTellsLikeMessagesApart(t *testing.T) {
	dated := &model.Protocol{Name: "dated", Build: func(c model.Config) (*model.System, error) {
		s, err := post.Build(c)
		s.Nodes[0].New = func() model.Node { return &dater{} }
		s.Nodes[1].New = func() model.Node { return &reader{} }
		return s, err
	}}
	ring := func(key, at string, occurrence int) traces.Step {
		return traces.Step{Kind: "timeout", To: "a", Type: "string", Occurrence: occurrence, At: at, Value: toy.Raw(`"` + key + `"`)}
	}
	tr := traces.New(dated, "", model.Config{Faults: model.Faults{Crashes: 1}}, true, "spelled", "")
	tr.Steps = []traces.Step{
		ring("m", "1", 1), {Kind: "invoke", To: "a", Type: "int", Occurrence: 1, At: "2", Value: toy.Raw("0")},
		{Kind: "return", To: "a", Type: "int", Occurrence: 1, At: "2", Value: toy.Raw("0")},
		letter("deliver", "a", "r", "m", 1, "5", 0, 0), {Kind: "crash", To: "b", At: "5"}, echo("r", "6"), ring("n", "6", 2), ring("n again", "9", 3),
		letter("deliver", "a", "s", "n", 1, "10", 0, 0), echo("s", "12"), letter("deliver", "a", "s", "n", 2, "13", 0),
	}
	tr.Watched = []string{"spelled"}
	claim := model.Claim{Name: "spelled", Monitor: func(*model.System) model.Monitor {
		return &spelled{want: "3 0 m 0 0, invoked, 3 echo, 2 0 n 0 0, 2 echo, 2 0 n false 0"}
	}}
	run, err := replay.Replay(dated, &tr, []model.Claim{claim})
	var d *replay.Divergence
	require.ErrorAs(t, err, &d)
	require.Equal(t, "the trace ends, but spelled is not violated", d.Text)
	breaks, ok := run.Sooner(run.Records[0].Sent[0], 2)
	assert.True(t, ok && breaks, "it arrives: %v, and the rest is as it was: %v", ok, breaks)
}
