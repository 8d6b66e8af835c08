package group

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/model"
)

// history returns a history of a client with sequential calls.
func history(pairs ...string) (all []model.Observation) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, model.Observation{Kind: model.Invoked, Value: pairs[i]}, model.Observation{Kind: model.Returned, Value: pairs[i+1]})
	}
	return all
}

// A later read may return a change whose outcome is unknown, for each key separately. It then was made once
// and for all.
func TestStore(t *testing.T) {
	for _, c := range []struct {
		calls []string
		want  judge.Verdict
	}{
		{[]string{"put x 1", "ok", "get x", "1", "del x", "ok", "get x", "none"}, judge.Linearizable},
		{[]string{"put x 1", "ok", "get x", "none"}, judge.Illegal},
		{[]string{"put x 1", "failed", "get x", "1"}, judge.Illegal},
		{[]string{"put x 1", "unknown", "get x", "none", "get x", "1", "get x", "1"}, judge.Linearizable},
		{[]string{"put x 1", "unknown", "get x", "1", "get x", "none"}, judge.Illegal},
		{[]string{"put x 1", "unknown", "get y", "1"}, judge.Illegal},
		{[]string{"put x 1", "ok", "del x", "unknown", "get x", "1", "put x 2", "ok", "get x", "none"}, judge.Linearizable},
		{[]string{"put x 1", "unknown", "put x 2", "unknown", "get x", "2", "get x", "1"}, judge.Linearizable},
		{[]string{"put x 1", "unknown", "put x 2", "unknown", "get x", "2", "get x", "1", "get x", "2"}, judge.Illegal},
	} {
		is, err := judge.History(store, history(c.calls...), time.Minute)
		require.NoError(t, err)
		assert.Equal(t, c.want, is, c.calls)
	}
}
