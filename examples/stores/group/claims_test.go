package group

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/model"
)

// history returns a history of sequential calls.
func history(pairs ...string) (all []model.Observation) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, model.Observation{Kind: model.Invoked, Value: pairs[i]}, model.Observation{Kind: model.Returned, Value: pairs[i+1]})
	}
	return all
}

// A compaction changes nothing. A change whose outcome is unknown may be made later, once.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		calls []string
		want  judge.Verdict
	}{
		{[]string{"put x 1", "ok", "compact", "ok", "get x", "1", "del x", "ok", "get x", "none"}, judge.Linearizable},
		{[]string{"put x 1", "ok", "compact", "ok", "get x", "none"}, judge.Illegal},
		{[]string{"put x 1", "ok", "del x", "ok", "compact", "ok", "get x", "1"}, judge.Illegal},
		{[]string{"put y 1", "unknown", "get y", "none", "get y", "1"}, judge.Linearizable},
		{[]string{"put y 1", "unknown", "get y", "1", "get y", "none"}, judge.Illegal},
		{[]string{"put x 1", "ok", "get y", "1"}, judge.Illegal},
	} {
		is, err := judge.History(pairs, history(c.calls...), time.Minute)
		require.NoError(t, err)
		assert.Equal(t, c.want, is, c.calls)
	}
}
