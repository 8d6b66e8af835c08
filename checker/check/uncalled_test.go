package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/verdict"
	"contend/checker/verify/starter"
	"contend/model"
)

// sleepy is a client of the starter that could be told of an alarm, but sets none.
type sleepy struct{ starter.Client }

func (*sleepy) Timeout(model.Env, any) {}

// What no row's runs call is said once; a handler that one row calls is none of it.
func TestUncalled(t *testing.T) {
	row := func(handlers map[string]bool) *checker.Row { return &checker.Row{Handlers: handlers} }
	assert.Empty(t, verdict.Uncalled(nil))
	assert.Empty(t, verdict.Uncalled([]*checker.Row{row(nil), row(map[string]bool{"a.B.Receive": true})}))
	rows := []*checker.Row{row(map[string]bool{"a.B.Receive": true, "a.B.Timeout": false, "a.C.Suspect": false}), row(map[string]bool{"a.B.Timeout": true, "a.C.Suspect": false})}
	assert.Equal(t, "No run that was searched calls a.C.Suspect, so no verdict is about what it does.", verdict.Uncalled(rows))
	assert.Equal(t, "No run that was searched calls a.B.Timeout, a.C.Suspect, so no verdict is about what they do.", verdict.Uncalled(rows[:1]))

	p := *starter.Protocol
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := starter.Protocol.Build(c)
		for i, n := range s.Nodes {
			if n.Role == model.Client {
				s.Nodes[i].New = func() model.Node { return &sleepy{*n.New().(*starter.Client)} }
			}
		}
		return s, err
	}
	for _, reading := range []model.Reading{model.Untimed, model.Grid, model.Dense} {
		rows, err := checker.Check(&p, model.Check{Reading: reading}, checker.Options{})
		assert.NoError(t, err)
		assert.Equal(t, "No run that was searched calls check_test.sleepy.Timeout, so no verdict is about what it does.", verdict.Uncalled(rows))
	}
}

// A waker sets an alarm, if it is to.
type waker struct{ sets bool }

func (w *waker) Start(env model.Env) {
	if w.sets {
		env.After("wakes", model.Anytime())
	}
}

func (*waker) Timeout(model.Env, any) {}

// A never is a goal that no run reaches.
type never struct{}

func (*never) Observe(model.Watch, model.Observation) {}
func (*never) Reached() bool                          { return false }

// A search whose only goal no run can reach has no row of its own beside others. What its runs call is called all the same.
func TestCalledInARowThatClaimsNothing(t *testing.T) {
	p := &model.Protocol{Name: "waker", Title: "waker", Build: func(c model.Config) (*model.System, error) {
		made := func() model.Node { return &waker{sets: c.Faults.Loss > 0} }
		return &model.System{Config: c, Nodes: []model.NodeSpec{{Name: "w", New: made}}, Types: []any{""}}, nil
	}, Claims: []model.Claim{
		{Name: "goal", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &never{} }, Vacuous: func(*model.System) string { return "there is no such thing" }},
		{Name: "apart", Kind: model.Always, Invariant: func([]model.Node) error { return nil }, Apart: func(c model.Check) model.Check {
			c.Config.Faults.Loss = 0
			return c
		}},
	}}
	rows, err := checker.Check(p, model.Check{Config: model.Config{Faults: model.Faults{Loss: 1}}}, checker.Options{})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	assert.Equal(t, checker.NotClaimed, rows[0].Claims[0].Verdict)
	assert.Equal(t, checker.Holds, rows[0].Verdict)
	assert.Empty(t, verdict.Uncalled(rows))
}
