package minimize

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// A run that strict replay refuses is not kept, whatever the minimiser makes of it, and is counted.
func TestWhatDoesNotReplayIsRefused(t *testing.T) {
	tr, err := traces.Load("../../traces/testdata/backoff-lease-delta-lemma-1.json")
	require.NoError(t, err)
	m, err := begin(backoff.Protocol, tr, Options{})
	require.NoError(t, err)
	best := m.best
	m.judge = func(t *execution) bool { return len(t.records) == 2 } // two steps break nothing
	assert.False(t, m.try(m.plan()))
	assert.Same(t, best, m.best)
	assert.Same(t, tr, m.trace)
	assert.EqualValues(t, 1, m.report.Refused)
	assert.EqualValues(t, 1, m.report.Tried)
}

// A run that comes to something that is wrong with its protocol goes no further.
func TestRunsThatAreWrongEnd(t *testing.T) {
	p := &model.Protocol{Name: "wrong",
		Claims: []model.Claim{{Name: "unasked", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*wrong).Came == "rest" {
				return errors.New("it rests")
			}
			return nil
		}}},
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{""}, Network: model.Network{Delay: model.Anytime()},
				Nodes: []model.NodeSpec{{Name: "w", Role: model.Server, New: func() model.Node { return &wrong{} }}}}, nil
		}}
	tr := traces.New(p, "", model.Config{}, false, "unasked", "")
	tr.Watched = []string{"unasked"}
	tr.Steps = []traces.Step{works("w", "write", 1), works("w", "ask", 2), works("w", "rest", 3)}
	m, err := begin(p, &tr, Options{})
	require.NoError(t, err)
	is, _ := m.execute(m.omit(0))
	assert.Nil(t, is, "what is asked for is of no type that is listed")
	is, _ = m.execute(m.omit(0, 1))
	assert.NotNil(t, is)
}

type wrong struct{ Came string }

func (*wrong) Start(env model.Env) {
	env.After("write", model.Anytime())
	env.After("ask", model.Anytime())
	env.After("rest", model.Anytime())
}

func (w *wrong) Timeout(env model.Env, key any) {
	if key == "ask" && w.Came == "" {
		env.Send(env.Self(), letter{})
	}
	w.Came = key.(string)
}

// A run is called a shortest one only where a search that nothing stopped found none that is shorter.
func TestWhatIsCalledShortest(t *testing.T) {
	tr, err := traces.Load("../../traces/testdata/backoff-lease-delta-lemma-1.json")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		limit string
		finds bool
		want  bool
	}{
		"it finds one as long":   {"", true, true},
		"it is stopped":          {"timeout", true, false},
		"it finds none":          {"", false, false},
		"stopped, it finds none": {"timeout", false, false},
	} {
		asked := 0
		_, report, err := Minimize(backoff.Protocol, tr, Options{KeepConfig: true, MaxSteps: 1, Shortest: func(t *traces.Trace) (is Search, _ error) {
			if asked++; c.finds {
				is.Trace = t
			}
			is.Limit = c.limit
			return is, nil
		}})
		require.NoError(t, err)
		assert.Equal(t, 1, asked)
		assert.Equal(t, c.want, report.Shortest, name)
		assert.Equal(t, c.limit, report.SearchLimit, name)
	}
}

// The environment moves before what is pending has to happen, and where that excludes its last instant, a part of a tick before.
func TestWindowsOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		until model.Bound
		want  world.Time
	}{{model.Through(3), 6}, {model.Below(3), 5}} {
		s := &model.System{Faults: model.Faults{Crashes: 1}, Nodes: []model.NodeSpec{{Name: "p", Role: model.Peer, New: func() model.Node { return &waiter{Until: c.until} }}}}
		w, err := world.New(s, nil, world.Options{Timed: true, Parts: 2})
		require.NoError(t, err)
		f := &follower{execution: &execution{world: w}}
		earliest, latest, ok := f.window(world.Move{Kind: model.Crash})
		assert.True(t, ok)
		assert.Zero(t, earliest)
		assert.Equal(t, c.want, latest)
	}
}

// A waiter has an alarm that rings within a time.
type waiter struct{ Until model.Bound }

func (w *waiter) Start(env model.Env) { env.After("it", model.Window{Hi: w.Until}) }
