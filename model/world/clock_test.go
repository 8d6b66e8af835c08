package world_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
	"contend/model/wrapped"
)

// A run shows the time to a handler only if it is timed and has clocks. Both runs of a handler see the same time. The
// number of parts of a tick is a part of the answer, so runs with different parts are not compared.
func TestClock(t *testing.T) {
	purity := world.NewPurity()
	for _, tc := range []struct {
		opt     world.Options
		want    string
		clocked bool
	}{
		{untimed, "0 0 false", false},
		{world.Options{Clocks: true}, "0 0 false", false},
		{halves, "0 0 false", false},
		{world.Options{Timed: true, Parts: 2, Clocks: true}, "5 2 true", true},
		{world.Options{Timed: true, Parts: 2, Clocks: true, Purity: purity}, "5 2 true", true},
		{world.Options{Timed: true, Parts: 4, Clocks: true, Purity: purity}, "5 4 true", true},
	} {
		s := system(
			client("c", acts{invoke: tell(1, "what time?")}, model.Op{After: model.Anytime()}),
			server("s", acts{receive: func(p *puppet, env model.Env, _ model.NodeID, _ any) {
				now, parts, ok := wrapped.Now(env)
				p.say("%s", fmt.Sprint(now, parts, ok))
			}}))
		s.Network.Delay = model.Anytime()
		r := start(t, s, tc.opt)
		r.do(0, model.Invoke, 0)
		assert.False(t, r.Clocked())
		rec := r.do(5, model.Deliver, 1)
		assert.Equal(t, tc.want, r.log(1)[1], "%+v", tc.opt)
		assert.Empty(t, rec.Choices)
		assert.Equal(t, tc.clocked, r.Clocked())
		assert.Equal(t, tc.clocked, r.Fork().Clocked())
	}
}
