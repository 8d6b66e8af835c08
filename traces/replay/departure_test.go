package replay_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/describe"
	"contend/traces"
	"contend/traces/replay"
)

// A keeper counts its letters, and answers each as its configuration has it.
type keeper struct {
	Count int
	cfg   *keeping
}

// A remembering is a keeper with an additional field.
type remembering struct {
	keeper
	Last string
}

type keeping struct {
	by      int
	answer  string
	alarm   bool
	choices int // of the letter c
	most    int // letters that are counted, if not 0
	first   int
	hold    bool
}

func (k *keeper) Start(model.Env) { k.Count = k.cfg.first }

func (k *keeper) Receive(env model.Env, from model.NodeID, m any) {
	if k.cfg.most == 0 || k.Count < k.cfg.most {
		k.Count += k.cfg.by
	}
	if m == "c" && k.cfg.choices > 0 && env.Choose(k.cfg.choices) == 0 {
		return
	}
	if k.cfg.answer != "" {
		env.Send(from, k.cfg.answer)
	}
	if k.cfg.alarm {
		env.After("again", model.Anytime())
	}
	if k.cfg.hold {
		env.Hold("busy", model.Bound{At: 3})
	}
}

func (k *remembering) Receive(env model.Env, from model.NodeID, m any) {
	k.keeper.Receive(env, from, m)
	k.Last = m.(string)
}

type writer struct{ Answers []string }

func (*writer) Invoke(env model.Env, _ any) { env.Send(1, "a"); env.Send(1, "b"); env.Send(1, "c") }
func (w *writer) Receive(_ model.Env, _ model.NodeID, answer any) {
	w.Answers = append(w.Answers, answer.(string))
}
func (*writer) Timeout(model.Env, any) {}
func (*keeper) Timeout(model.Env, any) {}

// keeps returns a mutant that changes the configuration.
func keeps(name string, change func(*keeping)) model.Variant {
	return model.Variant{Name: name, Title: name, Breaks: "it", Edit: func(s *model.System) { change(s.Setup.(*keeping)) }}
}

var archive = &model.Protocol{
	Name: "archive",
	Build: func(c model.Config) (*model.System, error) {
		cfg := &keeping{by: 1, answer: "ok", choices: 2}
		return &model.System{
			Faults: c.Faults, Types: []any{"", 0}, Network: model.Network{Delay: model.Anytime()}, Setup: cfg,
			Nodes: []model.NodeSpec{
				{Name: "w", New: func() model.Node { return &writer{} }, Script: []model.Op{{Call: 0, AtBoot: true}}},
				{Name: "k", New: func() model.Node { return &keeper{cfg: cfg} }},
			},
		}, nil
	},
	Variants: []model.Variant{
		{Name: "polite", Title: "answers please", Edit: func(s *model.System) { s.Setup.(*keeping).answer = "please" }},
		keeps("twice", func(c *keeping) { c.by = 2 }),
		keeps("silent", func(c *keeping) { c.answer = "" }),
		keeps("other", func(c *keeping) { c.answer = "no" }),
		keeps("alarmed", func(c *keeping) { c.alarm, c.hold = true, true }),
		keeps("begun", func(c *keeping) { c.first = 5 }),
		keeps("polite-twice", func(c *keeping) { c.by, c.answer = 2, "please" }),
		keeps("polite-late", func(c *keeping) { c.answer, c.most = "please", 1 }),
		keeps("chosen", func(c *keeping) { c.choices = 0 }),
		{Name: "remembers", Title: "remembers", Breaks: "it", Edit: func(s *model.System) {
			made := s.Nodes[1].New
			s.Nodes[1].New = func() model.Node { return &remembering{keeper: *made().(*keeper)} }
		}},
		{Name: "configured", Title: "only a configuration", Breaks: "it"},
	},
}

// The first departure is the first step in which the protocol, or the option that a mutant changes, would
// have acted differently.
func TestDeparture(t *testing.T) {
	ok := func(answer string) []replay.Effect {
		return []replay.Effect{{Verb: "send", Object: fmt.Sprintf("%q", answer), To: "w"}}
	}
	for variant, want := range map[string]*replay.Departure{
		"":       nil,
		"polite": nil,
		"twice":  {Step: 2, Node: 1, Fields: []describe.Change{{Field: "Count", Before: "2", After: "1"}}},
		"silent": {Step: 2, Node: 1, Missing: ok("ok")},
		"other":  {Step: 2, Node: 1, Extra: ok("no"), Missing: ok("ok")},
		"alarmed": {Step: 2, Node: 1, Extra: []replay.Effect{
			{Verb: "set", Object: `the alarm "again"`}, {Verb: "hold", Object: `"busy" for 3 ticks`}}},
		"begun": {Step: 0, Node: 1, Fields: []describe.Change{{Field: "Count", Before: "5", After: ""}}},
		// The option answers as the mutant does, and departs later.
		"polite-late":  {Step: 3, Node: 1, Option: "polite", Fields: []describe.Change{{Field: "Count", Before: "1", After: "2"}}},
		"chosen":       {Step: 4, Node: 1, Extra: ok("ok"), Chosen: true},
		"polite-twice": {Step: 2, Node: 1, Fields: []describe.Change{{Field: "Count", Before: "2", After: "1"}}, Extra: ok("please"), Missing: ok("ok")},
		"remembers":    nil, // a field that only the mutant has is no departure
		"configured":   nil,
	} {
		t.Run(variant, func(t *testing.T) {
			run := archived(t, variant)
			assert.Equal(t, want, run.Departure())
		})
	}
}

// archived returns the run in which the letters arrive in order.
func archived(t *testing.T, variant string) *replay.Run {
	t.Helper()
	tr := traces.New(archive, variant, model.Config{}, false, "", "")
	tr.Steps = []traces.Step{{Kind: "invoke", To: "w", Type: "int", Value: []byte("0"), Occurrence: 1}}
	for i, l := range []string{"a", "b", "c"} {
		tr.Steps = append(tr.Steps, traces.Step{Kind: "deliver", From: "w", To: "k", Type: "string", Value: []byte(`"` + l + `"`), Occurrence: i + 1})
	}
	if variant != "chosen" {
		tr.Steps[3].Choices = []int{1}
	}
	run, err := replay.Replay(archive, &tr, nil)
	require.NoError(t, err)
	return run
}
