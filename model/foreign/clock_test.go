package foreign

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/wrapped"
)

// A clock is an Env that shows a time.
type clock struct {
	model.Env
	now, parts int64
	shows      bool
}

func (c *clock) Clock() (int64, int64, bool) { return c.now, c.parts, c.shows }
func (c *clock) Choose(int) int              { return 2 }
func (c *clock) Drift() model.Drift          { return model.Drift{Thousandths: 7} }
func (c *clock) AfterReal(any, model.Ticks)  {}

// A handler that runs again sees the recorded time and drift, between its other answers.
func TestRecordedTime(t *testing.T) {
	for _, c := range []*clock{{now: 1<<40 + 7, parts: 16, shows: true}, {now: 1 << 31, parts: 1 << 33, shows: true}, {}} {
		h := &recorder{listener: listener{Env: c}}
		ask := func(env model.Env) []any {
			before := env.Choose(3)
			now, parts, ok := wrapped.Now(env)
			wrapped.AfterReal(env, "k", 1)
			return []any{before, now, parts, ok, wrapped.Drift(env), env.Choose(3)}
		}
		want := ask(h)
		assert.Equal(t, []any{2, c.now, c.parts, c.shows, model.Drift{Thousandths: 7}, 2}, want)
		assert.NotEmpty(t, h.effects)
		assert.Len(t, h.codes, len(h.answers))
		again := &replayer{answers: h.answers}
		assert.Equal(t, want, ask(again))
		assert.Empty(t, again.answers)
		assert.False(t, again.exhausted)
	}
}
