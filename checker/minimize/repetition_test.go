package minimize

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// resent is a protocol in which a sends letters to s, each at an alarm of its own, and s may crash and come back: what it got before may
// come once more then, and need not. Two things are claimed: that s rests at last, which it never does once it has come back, and that a is
// not late while s has got nothing.
func resent(letters int) *model.Protocol {
	return &model.Protocol{Name: "resent",
		Claims: []model.Claim{
			{Name: "rests", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &disturbed{} }},
			{Name: "got", Kind: model.Always, Invariant: func(nodes []model.Node) error {
				if a, s := nodes[0].(*resender), nodes[1]; s != nil && a.Late && s.(*resentTo).Got == 0 {
					return errors.New("s has got nothing")
				}
				return nil
			}},
		},
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Faults: c.Faults, Types: []any{"", letter{}}, Network: model.Network{Delay: model.By(4)},
				Nodes: []model.NodeSpec{
					{Name: "a", Role: model.Client, New: func() model.Node { return &resender{letters: letters} }},
					{Name: "s", Role: model.Server, New: func() model.Node { return &resentTo{} }},
				}}, nil
		}}
}

type (
	resender struct {
		letters int
		Late    bool
	}
	resentTo  struct{ Got int }
	disturbed struct{ Is bool }
)

func (a *resender) Start(env model.Env) {
	for i := range a.letters {
		env.After(i+1, model.Between(0, 12))
	}
	env.After("late", model.Between(7, 12))
}

func (a *resender) Timeout(env model.Env, key any) {
	switch key := key.(type) {
	case int:
		env.Send(1, letter{Nth: key})
	case string:
		a.Late = true
	}
}

func (*resentTo) Start(env model.Env) { env.After("work", model.Between(2, 5)) }

func (*resentTo) Timeout(env model.Env, _ any) { env.After("work", model.Between(2, 5)) }

func (s *resentTo) Receive(model.Env, model.NodeID, any) { s.Got = 1 }

func (d *disturbed) Observe(_ model.Watch, o model.Observation) {
	d.Is = d.Is || o.Kind == model.Recovered
}

func (d *disturbed) Reached() bool { return !d.Is }

// resends is a run in which s comes back when the first letter was delivered.
func resends(claim string, letters int, timed bool) *traces.Trace {
	tr := traces.New(resent(letters), "", model.Config{Faults: model.Faults{Restarts: 1, Loss: 2}}, timed, claim, "")
	tr.Watched = []string{claim}
	tr.Steps = []traces.Step{sends(1), posts("deliver", 1, 1), {Kind: "crash", To: "s"}, {Kind: "restart", To: "s"}}
	return &tr
}

// sends is the alarm at which a sends a letter.
func sends(n int) traces.Step {
	return traces.Step{Kind: "timeout", To: "a", Type: "int", Occurrence: n, Value: []byte(strconv.Itoa(n))}
}

// posts is what becomes of a letter, the nth that there is.
func posts(kind string, nth, n int) traces.Step {
	return traces.Step{Kind: kind, From: "a", To: "s", Type: "minimize.letter", Occurrence: nth, Value: fmt.Appendf(nil, `{"Nth":%d,"Count":0}`, n)}
}

// works is an alarm of s, or the last of a.
func works(node, key string, nth int) traces.Step {
	return traces.Step{Kind: "timeout", To: node, Type: "string", Occurrence: nth, Value: []byte(strconv.Quote(key))}
}

// timed gives a trace its times.
func timed(tr *traces.Trace, at ...string) {
	for i := range tr.Steps {
		tr.Steps[i].At = at[i]
	}
}

// A round is fair though what may come once more after a restart never comes, and is not without what has to come: that the letter is
// delivered before the crash has no other reason.
func TestRoundsInWhichNothingComesOnceMore(t *testing.T) {
	tr := resends("rests", 1, false)
	tr.Steps = append(tr.Steps, works("a", "late", 1), works("s", "work", 2), works("s", "work", 3), works("s", "work", 4))
	tr.Loop = 7
	elsewhere := 0
	is, report, err := Minimize(resent(1), tr, Options{AnyRun: func(h *traces.Trace) (Search, error) {
		elsewhere++
		assert.Zero(t, h.Loop)
		assert.Empty(t, h.Steps)
		return Search{}, nil
	}})
	require.NoError(t, err)
	assert.True(t, report.Locally)
	assert.Zero(t, report.Refused, "no candidate was an unfair round")
	assert.Len(t, is.Steps, 6, "%v", is.Steps)
	assert.Equal(t, 6, is.Loop)
	assert.Equal(t, 1, elsewhere, "without a restart")
}

// What has to happen before time goes on is no message that may come once more: it need not, and it would keep the claim from breaking here.
func TestWhatMayComeOnceMoreIsNotForced(t *testing.T) {
	tr := resends("got", 1, true)
	tr.Steps = append(tr.Steps, works("s", "work", 2), works("a", "late", 1))
	timed(tr, "0", "1", "1", "1", "5", "8")
	m, err := begin(resent(1), tr, Options{})
	require.NoError(t, err)
	is, _ := m.execute(m.omit(4)) // the work of s, which has to be done by 6
	require.NotNil(t, is)
	require.Len(t, is.records, 6)
	assert.Equal(t, "work", is.records[4].Move.Event.Value)
	assert.Equal(t, world.Time(6), is.records[4].At)
}

// A loss takes another message of the name in place of the one that is gone, but none that may come once more: the environment need not
// spend a loss on that. The letter that is not lost would be delivered and keep the claim from breaking.
func TestWhatMayComeOnceMoreIsNotLost(t *testing.T) {
	tr := resends("got", 3, true)
	tr.Steps = append(tr.Steps, sends(2), sends(3), posts("lose", 3, 2), posts("lose", 4, 3), works("s", "work", 2), works("a", "late", 1))
	timed(tr, "0", "1", "1", "1", "1", "1", "1", "1", "5", "8")
	m, err := begin(resent(3), tr, Options{})
	require.NoError(t, err)
	is, amiss := m.execute(m.omit(4, 7)) // that the second letter is sent, and that the third is lost
	require.NotNil(t, is)
	assert.True(t, amiss)
	require.Len(t, is.records, 8)
	assert.Equal(t, letter{Nth: 3}, is.records[5].Move.Event.Value)
}

// mute is a protocol of a letter that nobody answers, and of which nothing comes. Who gets it may crash and come back.
var mute = &model.Protocol{Name: "mute",
	Claims: []model.Claim{
		{Name: "comes", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &burnt{} }},
		{Name: "may come", Kind: model.PossibleFromEverywhere, Monitor: func(*model.System) model.Monitor { return &burnt{} }},
	},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Faults: c.Faults, Types: []any{letter{}}, Network: model.Network{Delay: model.Anytime()},
			Nodes: []model.NodeSpec{
				{Name: "a", Role: model.Peer, New: func() model.Node { return &writer{} }},
				{Name: "s", Role: model.Server, New: func() model.Node { return &spokenTo{} }},
			}}, nil
	}}

// A run that stops short of a goal shows that the goal never comes though something may come once more, which need not; it does not show that the
// goal cannot come any more.
func TestRunsThatStopWhereSomethingMayComeOnceMore(t *testing.T) {
	for _, c := range []struct {
		claim    string
		restarts bool
		want     bool
	}{{"comes", false, true}, {"comes", true, true}, {"may come", false, true}, {"may come", true, false}} {
		tr := traces.New(mute, "", model.Config{Faults: model.Faults{Restarts: 1}}, false, c.claim, "")
		tr.Watched = []string{c.claim}
		tr.Steps = []traces.Step{posts("deliver", 1, 1)}
		if c.restarts {
			tr.Steps = append(tr.Steps, traces.Step{Kind: "crash", To: "s"}, traces.Step{Kind: "restart", To: "s"})
		}
		is, r, err := Minimize(mute, &tr, Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Locally, "%+v", c)
		if c.want {
			assert.Len(t, is.Steps, 1)
		}
	}
}

type writer struct{}

func (*writer) Start(env model.Env) { env.Send(1, letter{Nth: 1}) }

// The run that a search finds is taken where it is as long, but says from where on the goal cannot be reached any more.
func TestSearchesThatSayFromWhereOn(t *testing.T) {
	for _, says := range []bool{false, true} {
		tr := traces.New(mute, "", model.Config{}, false, "may come", "")
		tr.Watched, tr.Steps = []string{"may come"}, []traces.Step{posts("deliver", 1, 1)}
		is, r, err := Minimize(mute, &tr, Options{Shortest: func(t *traces.Trace) (Search, error) {
			found := *t
			if says {
				found.NoReturn = &traces.NoReturn{After: 0}
			}
			return Search{Trace: &found}, nil
		}})
		require.NoError(t, err)
		assert.Equal(t, says, is.NoReturn != nil)
		assert.Nil(t, r.Another)
		assert.True(t, r.Shortest)
	}
}
