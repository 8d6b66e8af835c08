package replay_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/impl/changroberts"
	"contend/impl/sigma"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// A replay verifies a trace's description of its endless end.
func TestEndless(t *testing.T) {
	for name, c := range map[string]struct {
		p      *model.Protocol
		kept   string
		change func(t *traces.Trace)
		text   string
	}{
		"as it is":        {sigma.Protocol, "sigma-suspects-once-lemma-8", func(*traces.Trace) {}, ""},
		"begins too late": {sigma.Protocol, "sigma-suspects-once-lemma-8", func(t *traces.Trace) { t.Loop = 9 }, "the trace ends, but its loop does not come back to the state before step 9"},
		"goal behind the point": {sigma.Protocol, "sigma-never-rem-lemma-9", func(t *traces.Trace) { t.NoReturn = &traces.NoReturn{After: 0} },
			"the trace ends, but step 1 reaches the goal of Lemma 9, behind the point of no return"},
		"goal at the point": {sigma.Protocol, "sigma-never-rem-lemma-9", func(t *traces.Trace) { t.NoReturn = &traces.NoReturn{After: 1} },
			"the trace ends, but step 1 reaches the goal of Lemma 9, behind the point of no return"},
		"ends too early": {changroberts.Protocol, "changroberts-message-lost-liveness", func(t *traces.Trace) { t.Steps, t.NoReturn = t.Steps[:len(t.Steps)-1], nil },
			"the trace ends, but the run goes on, and may reach the goal of liveness"},
		"loop of what has no goal":  {backoff.Protocol, "backoff-lease-delta-lemma-1", func(t *traces.Trace) { t.Loop = 1 }, `trace: loop and noReturn are of claims about a goal, but "Lemma 1" is not one`},
		"point of what has no goal": {backoff.Protocol, "backoff-lease-delta-lemma-1", func(t *traces.Trace) { t.NoReturn = &traces.NoReturn{After: 2} }, `trace: loop and noReturn are of claims about a goal, but "Lemma 1" is not one`},
	} {
		t.Run(name, func(t *testing.T) {
			tr, err := traces.Load(filepath.Join("..", "testdata", c.kept+".json"))
			require.NoError(t, err)
			c.change(tr)
			_, err = replay.Replay(c.p, tr, nil)
			if c.text == "" {
				require.NoError(t, err)
				return
			}
			assert.EqualError(t, err, c.text)
		})
	}
}
