package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
)

// A hearer records the reports of the failure detector.
type hearer struct{ Told []string }

func (h *hearer) Suspect(_ model.Env, n model.NodeID) {
	h.Told = append(h.Told, "-"+string(rune('0'+n)))
}
func (h *hearer) Trust(_ model.Env, n model.NodeID) { h.Told = append(h.Told, "+"+string(rune('0'+n))) }

func hearing(f model.Faults) *model.System {
	var nodes []model.NodeSpec
	for _, name := range []string{"a", "b", "c"} {
		nodes = append(nodes, model.NodeSpec{Name: name, Role: model.Server, New: func() model.Node { return &hearer{} }})
	}
	nodes = append(nodes, server("deaf", acts{}))
	s := system(nodes...)
	s.Detector = model.Detector{Kind: model.EventuallyPerfect, Report: model.Between(1, 3), Mistake: model.Exactly(2)}
	s.Faults = f
	return s
}

func (r *run) told(id model.NodeID) []string { return r.Live(id).(*hearer).Told }

// A crash is reported to all nodes that are up and implement Suspecter, each within the window. So is the
// restart.
func TestReportsOfACrash(t *testing.T) {
	r := start(t, hearing(model.Faults{Restarts: 1}), timed)
	r.move(0, world.Move{Kind: model.Crash, Node: 0})
	r.do(1, model.Suspect, 1)
	assert.Equal(t, []string{"-0"}, r.told(1))
	r.move(2, world.Move{Kind: model.Restart, Node: 0})
	assert.Empty(t, r.pending(model.Suspect, 2), "it is back before that is reported")
	assert.Empty(t, r.pending(model.Trust, 2))
	_, latest, ok := r.Fires(r.event(model.Trust, 1))
	assert.True(t, ok)
	assert.Equal(t, world.Time(5), latest)
	r.do(5, model.Trust, 1)
	assert.Equal(t, []string{"-0", "+0"}, r.told(1))
	assert.Empty(t, r.Pending(), "who is deaf is told nothing")
}

// A restarted node receives reports on the nodes that are down. A node that is down receives no reports.
func TestWhoIsBackCatchesUp(t *testing.T) {
	r := start(t, hearing(model.Faults{Restarts: 3}), timed)
	r.move(0, world.Move{Kind: model.Crash, Node: 0})
	r.move(0, world.Move{Kind: model.Crash, Node: 1})
	assert.Empty(t, r.pending(model.Suspect, 1))
	r.move(3, world.Move{Kind: model.Restart, Node: 1})
	r.do(3, model.Suspect, 2)
	assert.Equal(t, []string{"-0"}, r.told(2), "b was back before it was told of")
	r.do(4, model.Suspect, 1)
	assert.Equal(t, []string{"-0"}, r.told(1))
	r.move(4, world.Move{Kind: model.Restart, Node: 0})
	r.do(5, model.Trust, 1)
	r.move(5, world.Move{Kind: model.Crash, Node: 0})
	assert.Empty(t, r.pending(model.Trust, 2), "it is down again before it was reported to be back")
	assert.Empty(t, r.pending(model.Suspect, 2), "and suspected still")
	assert.Len(t, r.pending(model.Suspect, 1), 1)
}

// A false suspicion is reported at once, and withdrawn later. Meanwhile it is not repeated. If the node
// crashes, the suspicion becomes true.
func TestMistakes(t *testing.T) {
	r := start(t, hearing(model.Faults{Restarts: 1, Suspicions: 2}), timed)
	wrong := world.Move{Kind: model.Mistake, Node: 1, Value: model.NodeID(0)}
	assert.EqualError(t, r.refused(0, world.Move{Kind: model.Mistake, Node: 3, Value: model.NodeID(0)}), "the environment has no mistake to spend at deaf")
	assert.EqualError(t, r.refused(0, world.Move{Kind: model.Mistake, Node: 1, Value: model.NodeID(1)}), "the environment has no mistake to spend at b")
	assert.EqualError(t, r.refused(0, world.Move{Kind: model.Mistake, Node: 1, Value: "a"}), "the environment has no mistake to spend at b")
	r.move(1, wrong)
	assert.Equal(t, []string{"-0"}, r.told(1))
	assert.EqualError(t, r.refused(1, wrong), "the environment has no mistake to spend at b")
	r.do(3, model.Trust, 1)
	assert.Equal(t, []string{"-0", "+0"}, r.told(1))
	r.move(3, wrong)
	r.move(4, world.Move{Kind: model.Crash, Node: 0})
	assert.Empty(t, r.pending(model.Trust, 1))
	assert.Empty(t, r.pending(model.Suspect, 1), "it is suspected already")
	assert.Len(t, r.pending(model.Suspect, 2), 1)
	assert.False(t, r.offers(model.Mistake, 1), "the budget is spent")
}
