package exemplar

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/world"
)

// two are clients of which the first has a critical section and the second none.
var two = &model.System{Nodes: []model.NodeSpec{
	{Name: "c1", Role: model.Client, Script: []model.Op{{Call: "enter", Release: "leave"}}},
	{Name: "c2", Role: model.Client, Script: []model.Op{{Call: "read"}}},
}}

// does is the record of a step at a node.
func does(kind model.EventKind, at model.NodeID, seen ...model.ObservationKind) world.Record {
	r := world.Record{Node: at, Move: world.Move{Kind: kind, Node: at, Event: &world.Event{Kind: kind, Node: at}}}
	for _, k := range seen {
		r.Observations = append(r.Observations, model.Observation{Kind: k, Node: at})
	}
	return r
}

// An operation overlaps another until it is over, the section that it entered with it.
func TestOverlaps(t *testing.T) {
	invoke, back, leave := model.Invoke, model.Return, model.Release
	for name, c := range map[string]struct {
		run  []world.Record
		want int
	}{
		"one after another":      {[]world.Record{does(invoke, 0), does(back, 0), does(leave, 0), does(invoke, 1), does(back, 1)}, 0},
		"while the other runs":   {[]world.Record{does(invoke, 0), does(invoke, 1), does(back, 0), does(leave, 0), does(back, 1)}, 1},
		"within the section":     {[]world.Record{does(invoke, 0), does(back, 0), does(invoke, 1), does(back, 1), does(leave, 0)}, 1},
		"without a section":      {[]world.Record{does(invoke, 1), does(back, 1), does(invoke, 0)}, 0},
		"after the other's fall": {[]world.Record{does(invoke, 0), does(model.Crash, 0), does(invoke, 1), does(back, 1)}, 0},
	} {
		assert.Equal(t, c.want, Of(two, c.run, true).Overlaps, name)
	}
}

// Messages are in flight from when they are sent until they arrive, or are gone.
func TestInFlight(t *testing.T) {
	a, b, alarm := &world.Event{Kind: model.Deliver}, &world.Event{Kind: model.Deliver}, &world.Event{Kind: model.Timeout}
	first, second, third := does(model.Invoke, 0), does(model.Deliver, 1), does(model.Lose, 0)
	first.Sent, second.Move.Event, second.Sent, third.Gone = []*world.Event{a, alarm}, a, []*world.Event{b}, []*world.Event{b}
	m := Of(two, []world.Record{first, second, third}, true)
	assert.Equal(t, 1, m.InFlight)
	first.Sent = []*world.Event{a, b}
	assert.Equal(t, 2, Of(two, []world.Record{first, second, third}, true).InFlight)
}

// What counts as having been survived comes after the last fault; a restart is none.
func TestAfterFaults(t *testing.T) {
	m := Of(two, []world.Record{
		does(model.Invoke, 0), does(model.Return, 0, model.Returned), does(model.Invoke, 1), does(model.Crash, 0),
		does(model.Deliver, 1, model.Noted), does(model.Restart, 0), does(model.Return, 1, model.Returned, model.Delivered),
	}, true)
	assert.Equal(t, 3, m.After)
	assert.Equal(t, 1, m.Within)
	assert.Equal(t, 2, m.Operations)
	crash, _ := Find("crash")
	assert.True(t, crash.Fits(m))
	assert.Equal(t, "1 crash, 1 restart; after the last fault 3 returns, deliveries and notes", crash.Says(m))
	m.Finished = false
	assert.False(t, crash.Fits(m), "a run that is not finished shows nothing")
}

// A lie is heeded when its receiver answers it.
func TestHeeded(t *testing.T) {
	heard, answered := does(model.Forge, 0), does(model.Forge, 0)
	answered.Sent = []*world.Event{{Kind: model.Deliver}}
	m := Of(two, []world.Record{heard, answered, heard}, true)
	assert.Equal(t, 1, m.Heeded)
	assert.Equal(t, 3, m.Faults[model.Forge])
}

// Of runs alike the shortest is chosen, and a configuration that cannot show a kind is refused.
func TestKinds(t *testing.T) {
	contended, ok := Find("contended")
	assert.True(t, ok)
	assert.True(t, contended.Better(Measures{Overlaps: 2, Steps: 9}, Measures{Overlaps: 1, Steps: 3}))
	assert.True(t, contended.Better(Measures{Overlaps: 2, Steps: 3}, Measures{Overlaps: 2, Steps: 9}))
	assert.False(t, contended.Better(Measures{Overlaps: 2, Steps: 9}, Measures{Overlaps: 2, Steps: 9}))
	_, ok = Find("contented")
	assert.False(t, ok)
	for _, k := range Kinds {
		refused := map[string]bool{"liar": true, "crash": true, "loss": true, "duplicate": true, "partition": true, "suspicion": true}[k.Name]
		assert.Equal(t, refused, k.Refuse(two) != nil, k.Name)
	}
	everything := &model.System{Nodes: []model.NodeSpec{{Name: "liar", Byzantine: true}},
		Faults: model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Suspicions: 1, Partitions: 1}}
	for _, k := range Kinds {
		assert.NoError(t, k.Refuse(everything), k.Name)
	}
}
