package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/checker/verify/starter"
	"contend/model"
)

// sleepy is a client of the starter that could be told of an alarm, but sets none.
type sleepy struct{ starter.Client }

func (*sleepy) Timeout(model.Env, any) {}

// What no row's runs call is said once; a handler that one row calls is none of it.
func TestUncalled(t *testing.T) {
	row := func(handlers map[string]bool) *checker.Row { return &checker.Row{Handlers: handlers} }
	assert.Empty(t, checker.Uncalled(nil))
	assert.Empty(t, checker.Uncalled([]*checker.Row{row(nil), row(map[string]bool{"a.B.Receive": true})}))
	rows := []*checker.Row{row(map[string]bool{"a.B.Receive": true, "a.B.Timeout": false, "a.C.Suspect": false}), row(map[string]bool{"a.B.Timeout": true, "a.C.Suspect": false})}
	assert.Equal(t, "No run that was searched calls a.C.Suspect, so no verdict is about what it does.", checker.Uncalled(rows))
	assert.Equal(t, "No run that was searched calls a.B.Timeout, a.C.Suspect, so no verdict is about what they do.", checker.Uncalled(rows[:1]))

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
		assert.Equal(t, "No run that was searched calls checker_test.sleepy.Timeout, so no verdict is about what it does.", checker.Uncalled(rows))
	}
}
