package show_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/model/wrapped"
	"contend/traces/replay"
	"contend/traces/show"
)

// A forgetful node loses its state in a crash, and a mindful node does not.
type (
	forgetful struct{ N int }
	mindful   struct {
		N int `contend:"stable"`
	}
	watches struct{}
)

// A hosted node runs a program with a disk.
type hosted struct{ mindful }

func (*hosted) Origin() wrapped.Origin { return wrapped.Origin{Program: "p"} }

// A program restarts with its files, and without its fields.
func TestRestartOfProgram(t *testing.T) {
	s := &model.System{Nodes: []model.NodeSpec{{Name: "a", New: func() model.Node { return &hosted{} }}}}
	w, err := world.New(s, nil, world.Options{})
	require.NoError(t, err)
	_, what := show.Move(&replay.Run{World: w}, world.Move{Kind: model.Restart})
	assert.Equal(t, "restarts with the files that the crash left", what)
}

func (*forgetful) Receive(model.Env, model.NodeID, any) {}
func (*mindful) Receive(model.Env, model.NodeID, any)   {}

func (watches) Observe(model.Watch, model.Observation) {}

// Every kind of move has its own description, with its place and its event.
func TestMovesInWords(t *testing.T) {
	s := &model.System{Nodes: []model.NodeSpec{
		{Name: "a", New: func() model.Node { return &forgetful{} }}, {Name: "b", New: func() model.Node { return &mindful{} }}, {Name: "c", Byzantine: true},
	}}
	w, err := world.New(s, []model.Claim{{Name: "watched", Monitor: func(*model.System) model.Monitor { return &watches{} }}}, world.Options{})
	require.NoError(t, err)
	told := map[string]model.EventKind{}
	for kind := model.Deliver; kind < model.EventKinds; kind++ {
		m := world.Move{Kind: kind, Node: 1, From: 2, Value: "v"}
		switch kind {
		case model.Deliver, model.Lose, model.Duplicate:
			m.Event = &world.Event{Kind: model.Deliver, From: 0, Node: 1, Value: "v"}
		case model.Crash, model.Stop, model.Restart, model.Forge:
		case model.Mistake:
			m.Value = model.NodeID(0)
		case model.Partition:
			m.Value = model.Side{0, 1}
		case model.Suspect, model.Trust:
			m.Event = &world.Event{Kind: kind, Node: 1, Value: model.NodeID(0)}
		default:
			m.Event = &world.Event{Kind: kind, Node: 1, Value: "v"}
		}
		want, known := map[model.EventKind][2]string{
			model.Deliver: {"a → b", `"v" arrives`}, model.Lose: {"a → b", `"v" is lost`}, model.Duplicate: {"a → b", `"v" is doubled`},
			model.Timeout: {"b", `alarm "v" fires`}, model.Expire: {"watched", `alarm "v" fires`}, model.Invoke: {"b", `invokes "v"`}, model.Return: {"b", `returns "v"`},
			model.Release: {"b", `leaves the section: "v"`}, model.Crash: {"b", "crashes"}, model.Stop: {"b", "crashes for good"}, model.Restart: {"b", "restarts with its stable fields"},
			model.Forge: {"c → b", `"v" arrives, forged`}, model.Suspect: {"b", "is told that a is down"}, model.Trust: {"b", "is told that a is up"},
			model.Mistake: {"b", "is told, wrongly, that a is down"}, model.Partition: {"network", "is cut: [a, b] from the others"}, model.Heal: {"network", "heals"},
		}[kind]
		require.True(t, known, "%v", kind)
		where, what := show.Move(&replay.Run{World: w}, m)
		assert.Equal(t, want, [2]string{where, what}, "%v", kind)
		if before, met := told[where+what]; met {
			t.Errorf("%v and %v are told alike", before, kind)
		}
		told[where+what] = kind
	}
	_, what := show.Move(&replay.Run{World: w}, world.Move{Kind: model.Restart})
	assert.Equal(t, "restarts, its memory lost", what)
	_, what = show.Move(&replay.Run{World: w}, world.Move{Kind: model.Return, Event: &world.Event{Kind: model.Return}})
	assert.Equal(t, "returns", what)
}
