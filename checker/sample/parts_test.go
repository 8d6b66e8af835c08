package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// option always gives one of the options, as far as there are so many.
type option int

func (o option) Choose(n int) int { return min(int(o), n-1) }

// Instants between two ends are multiples of the grain, if there is one; else it is the first.
func TestInstantsBetween(t *testing.T) {
	r := &run{c: option(100), style: style{grain: 4}}
	assert.Equal(t, world.Time(12), r.between(5, 13))
	assert.Equal(t, world.Time(5), r.between(5, 7))
}

// The first violation of a claim is kept. No more of them are looked for.
func TestTheFirstViolationIsKept(t *testing.T) {
	sm := &sampler{ignore: map[string]bool{}, open: map[string]bool{"it": true}}
	for i, steps := range []int{3, 2} {
		sm.found(Found{Schedule: i, Records: make([]world.Record, steps)}, []world.Violation{{Claim: "it"}})
	}
	require.Len(t, sm.result.Violations, 1)
	assert.Equal(t, 0, sm.result.Violations[0].Schedule)
	assert.Empty(t, sm.open)
}

// Handlers run twice in the first schedules, and in every sixteenth from then on.
func TestWhichSchedulesRunTwice(t *testing.T) {
	for schedule, want := range map[int]bool{0: true, 63: true, 64: true, 65: false, 79: false, 80: true} {
		assert.Equal(t, want, runsTwice(schedule), "schedule %d", schedule)
	}
}

// A schedule that takes other moves when it runs again is another one, though nothing comes of them.
func TestOtherMovesAreSeen(t *testing.T) {
	sm := &sampler{system: &model.System{Nodes: []model.NodeSpec{{Name: "a"}, {Name: "b"}}}}
	step := func(node model.NodeID) world.Record {
		return world.Record{Move: world.Move{Kind: model.Deliver, Event: &world.Event{Kind: model.Deliver, Node: node, Value: 1}}}
	}
	assert.Equal(t, anotherMove, sm.differs(step(0), step(1)))
	assert.Empty(t, sm.differs(step(0), step(0)))
}
