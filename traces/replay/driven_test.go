package replay_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/costs"
	"contend/model/world"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
)

// mixed has features that the toy lacks: partitions, overtaking, several operations and alarms of one name,
// holds, choices in Start, and equal messages.
var mixed = &model.Protocol{Name: "mixed", Params: []model.Parameter{model.N.WithDefault(1)}, Costs: []*model.Cost{costs.Messages(), perOperation}, Build: func(c model.Config) (*model.System, error) {
	var delay model.Window
	if delay = model.Between(1, 3); c.N > 1 {
		delay = model.Window{Lo: model.Below(1), Hi: model.Below(3)}
	}
	mixer := func() model.Node { return &mixer{} }
	return &model.System{
		Faults: c.Faults, Types: []any{word("")}, Network: model.Network{Delay: delay, Partition: model.Exactly(2)},
		Detector: model.Detector{Kind: model.EventuallyPerfect, Report: model.By(2), Mistake: model.By(1)},
		Forge:    func(model.Node, model.NodeID, model.NodeID) []any { return []any{word("lie"), word("other lie")} },
		Nodes: []model.NodeSpec{
			{Name: "a", New: mixer, Crash: model.CrashStopRecovery, Script: []model.Op{{Call: word("go"), After: model.Between(1, 2)}, {Call: word("go"), After: model.Between(0, 1)}}},
			{Name: "b", New: mixer, Crash: model.CrashStop}, {Name: "c", New: mixer}, {Name: "liar", Byzantine: true},
		},
	}, nil
}, Claims: []model.Claim{
	{Name: "few at times", Assumes: []model.Assumption{model.Timed}, Monitor: func(*model.System) model.Monitor { return &few{} }}, {Name: "few", Monitor: func(*model.System) model.Monitor { return &few{} }}},
	Properties: []model.Claim{{Name: "none", Monitor: func(*model.System) model.Monitor { return &few{} }}}}

// perOperation charges every message to the running operation.
var perOperation = costs.PerOperation(func(model.Observation) (model.NodeID, bool) { return 0, true })

type (
	word  string
	mixer struct {
		Heard []word
		Down  []model.NodeID
		Kept  int `contend:"stable"`
	}
	// few is violated by the seventh note, or by its own alarm after a fourth.
	few struct{ N int }
)

func (m *mixer) Start(env model.Env) {
	if env.Self() == 2 {
		env.After(word("tick"), model.Between(model.Ticks(env.Choose(2)), 3))
	}
}

func (m *mixer) Invoke(env model.Env, _ any) {
	m.Kept++
	env.Hold(word("h"), model.Below(2))
	env.Send(1, word("x"))
	env.Send(1, word("x"))
	env.Send(2, word("y"))
	env.After(word("late"), model.Exactly(3))
}

func (m *mixer) Receive(env model.Env, from model.NodeID, w any) {
	m.Heard = append(m.Heard, w.(word))
	env.Note(w)
	switch {
	case env.Self() == 0 && m.Kept > 0 && len(m.Heard) == 2:
		env.Return(word("done"))
	case env.Self() == 1:
		env.Send(0, word(fmt.Sprint("r", env.Choose(3))))
	case env.Self() == 2 && env.Held(word("h")):
		env.Send(0, word("held"))
	case env.Self() == 2:
		env.Hold(word("h"), model.Below(2))
		env.Send(0, word("z"))
	}
}

func (m *mixer) Timeout(env model.Env, k any) { env.Note(k) }

func (m *mixer) Suspect(_ model.Env, id model.NodeID) { m.Down = append(m.Down, id) }

func (m *mixer) Trust(_ model.Env, id model.NodeID) {
	m.Down = slices.DeleteFunc(m.Down, func(d model.NodeID) bool { return d == id })
}

func (f *few) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Noted {
		return
	}
	if f.N++; f.N == 4 {
		w.After(word("alarm"), model.Between(1, 4))
	}
	if f.N == 7 {
		w.Violate("seven notes")
	}
}

func (f *few) Expire(w model.Watch, _ any) { w.Violate("it took long") }

// driven returns random runs of mixed and toy, with all faults.
func driven(t *testing.T) (all []*traces.Trace, worlds []*world.World, protocols []*model.Protocol) {
	t.Helper()
	faults := model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1, Suspicions: 1}
	kinds := map[string]bool{}
	for seed := range uint64(80) {
		p, c := mixed, model.Config{N: 1 + int(seed/2)%2, Faults: faults}
		if c.Faults.Partitions = 1; seed%4 == 3 {
			p, c = toy.Protocol, model.Config{N: 2, Faults: faults}
		}
		tr, w := toy.Drive(t, p, "", c, seed%2 == 0, toy.Watchable(p)[:2], seed)
		all, worlds, protocols = append(all, tr), append(worlds, w), append(protocols, p)
		for _, s := range tr.Steps {
			kinds[s.Kind] = true
		}
	}
	require.Len(t, kinds, int(model.EventKinds), "every kind of step is there: %v", kinds)
	return all, worlds, protocols
}

// ending returns the last state of a run, with the remaining budget.
func ending(w *world.World) string { return fmt.Sprint(toy.Ending(w), w.Budget()) }

// A run that was driven at random replays to where it was.
func TestDrivenRunsReplay(t *testing.T) {
	all, worlds, protocols := driven(t)
	for i, tr := range all {
		run, err := replay.Replay(protocols[i], tr, nil)
		require.NoError(t, err, "%d", i)
		assert.Equal(t, ending(worlds[i]), ending(run.World))
		require.Len(t, run.Records, len(tr.Steps))
		if len(worlds[i].Violations) > 1 {
			violating := *tr
			violating.Claim = worlds[i].Violations[len(worlds[i].Violations)-1].Claim
			_, err := replay.Replay(protocols[i], &violating, nil)
			assert.NoError(t, err, "it is not the first that is violated")
		}
		none := *tr
		none.Steps, none.Claim, none.Text = nil, "", ""
		unmoved, err := replay.Replay(protocols[i], &none, nil)
		require.NoError(t, err)
		assert.Equal(t, unmoved.First(), run.First())
		for _, r := range run.Records {
			assert.Equal(t, r.Move.Kind == model.Partition, r.Move.Node == -1)
		}
	}
}

// Any edit or omission in a step of such a run makes the rest invalid, or changes the result.
func TestEveryEditOfDrivenRunsIsSeen(t *testing.T) {
	all, worlds, protocols := driven(t)
	for i, tr := range all {
		for at := i % 5; at < len(tr.Steps); at += 5 {
			for name, edit := range map[string]func(*traces.Step){
				"occurrence": func(s *traces.Step) { s.Occurrence++ },
				"choices":    func(s *traces.Step) { s.Choices = append(slices.Clone(s.Choices), 0) },
				"to":         func(s *traces.Step) { s.To = "c" + s.To[1:] },
				"from":       func(s *traces.Step) { s.From = "liar" },
				"kind": func(s *traces.Step) {
					s.Kind = map[string]string{"deliver": "lose", "lose": "deliver", "crash": "restart", "restart": "crash", "suspect": "trust", "trust": "suspect"}[s.Kind]
				},
				"type": func(s *traces.Step) { s.Type += "s" },
			} {
				edited := *tr
				edited.Steps = slices.Clone(tr.Steps)
				edit(&edited.Steps[at])
				if was, is := tr.Steps[at], edited.Steps[at]; is.Kind == "" || was.To == is.To && was.From == is.From && was.Kind == is.Kind && name != "occurrence" && name != "choices" && name != "type" {
					continue
				}
				run, err := replay.Replay(protocols[i], &edited, nil)
				if err == nil {
					assert.NotEqual(t, ending(worlds[i]), ending(run.World), "run %d, %s of step %d, %v", i, name, at+1, tr.Steps[at])
				} else if run != nil {
					assert.GreaterOrEqual(t, len(run.Records), at)
				}
			}
		}
	}
}
