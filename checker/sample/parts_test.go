package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample/stepper"
	"contend/model"
	"contend/model/world"
)

// A prompt liar says the same to everybody, an equivocating one the same to each.
func TestWhatLiarsKeepTo(t *testing.T) {
	c := Seeded(1)
	honest := &liar{manner: prompt, keeps: map[model.NodeID]int{}}
	other := &liar{manner: equivocating, keeps: map[model.NodeID]int{}}
	differ := false
	for to := range model.NodeID(20) {
		assert.Equal(t, honest.says(c, 0, 100), honest.says(c, to, 100))
		is := other.says(c, to, 100)
		assert.Equal(t, is, other.says(c, to, 100))
		differ = differ || is != other.says(c, 0, 100)
	}
	assert.True(t, differ)
}

// option always gives one of the options, as far as there are so many.
type option int

func (o option) Choose(n int) int { return min(int(o), n-1) }

// A frequency is out of a step in which the protocol can move; where it cannot, a fault strikes far
// more often.
func TestHowOftenFaultsStrike(t *testing.T) {
	for protocol, want := range map[bool]int{true: 2, false: certain - enough} {
		st, strikes := style{}, 0
		st.weights[model.Lose] = 2
		for o := range option(certain) {
			if kind, is := st.strike(o, []stepper.Move{{Kind: model.Lose}}, protocol); is {
				assert.Equal(t, model.Lose, kind)
				strikes++
			}
		}
		assert.Equal(t, want, strikes, "moves of the protocol: %v", protocol)
	}
}

// Instants between two ends are multiples of the grain, if there is one; else it is the first.
func TestInstantsBetween(t *testing.T) {
	r := &run{c: option(100), style: style{grain: 4}}
	assert.Equal(t, world.Time(12), r.between(5, 13))
	assert.Equal(t, world.Time(5), r.between(5, 7))
}

// Of the violations of a claim the shortest is kept, the first of those.
func TestTheShortestViolationIsKept(t *testing.T) {
	sm := &sampler{ignore: map[string]bool{}, open: map[string]bool{}, seen: map[string]int{}}
	for i, steps := range []int{3, 2, 4, 2} {
		sm.found(Found{Schedule: i, Records: make([]world.Record, steps)}, []world.Violation{{Claim: "it"}})
	}
	require.Len(t, sm.result.Violations, 1)
	assert.Equal(t, 1, sm.result.Violations[0].Schedule)
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
