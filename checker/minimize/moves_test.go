package minimize

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces"
)

// spoken is a protocol of a node c, to which a has sent two letters, and l, a liar, may say words and letters. Besides, a and b have alarms.
var spoken = &model.Protocol{Name: "spoken",
	Claims: []model.Claim{{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Faults: c.Faults, Types: []any{"", letter{}, word{}}, Network: model.Network{Delay: model.Anytime()},
			Forge: func(to model.Node, _, _ model.NodeID) []any {
				if _, ok := to.(*spokenTo); !ok {
					return nil
				}
				return []any{word{1}, letter{Nth: 1}, word{2}, letter{Nth: 2}}
			},
			Nodes: []model.NodeSpec{
				{Name: "a", Role: model.Peer, New: func() model.Node { return &speaker{} }},
				{Name: "b", Role: model.Peer, New: func() model.Node { return &speaker{} }},
				{Name: "c", Role: model.Server, New: func() model.Node { return &spokenTo{} }},
				{Name: "l", Role: model.Peer, Byzantine: true},
			}}, nil
	}}

type (
	speaker  struct{}
	spokenTo struct{}
)

func (*speaker) Start(env model.Env) {
	env.After("", model.Anytime())
	if env.Self() == 0 {
		env.Send(2, letter{Nth: 5})
		env.Send(2, letter{Nth: 6})
	}
}

func (*speaker) Timeout(model.Env, any) {}

func (*spokenTo) Receive(model.Env, model.NodeID, any) {}

// spoke is the beginning of a run of spoken, and a plan for it of a run of one step.
func spoke(t *testing.T) *follower {
	t.Helper()
	m := &minimizer{protocol: spoken, claims: spoken.Claims, stages: map[string]*stage{}}
	header := traces.New(spoken, "", model.Config{Faults: model.Faults{Crashes: 1}}, false, "nothing", "")
	header.Watched = []string{"nothing"}
	st, err := m.stage(header)
	require.NoError(t, err)
	run, err := m.start(st, 1, nil)
	require.NoError(t, err)
	of, err := m.start(st, 1, nil)
	require.NoError(t, err)
	return &follower{execution: run, plan: &plan{base: of.result(), stage: st, drop: make([]bool, 1)}, wanted: map[*world.Event]bool{}}
}

// A liar says what it said. What it cannot say any more gives way to what stands in its place, if that is of its type, or else to the first of
// its type; but not in a narrow plan, nor where the plan has something else said.
func TestWhatLiarsSayInstead(t *testing.T) {
	none := any(nil)
	text := func(v any) map[int]string {
		return map[int]string{0: describe.Value(v, func(model.NodeID) string { return "" })}
	}
	for name, c := range map[string]struct {
		was    any
		at     int // -1: it stood nowhere
		change func(p *plan)
		want   any
		amiss  bool
	}{
		"the same":                        {letter{Nth: 2}, 1, nil, letter{Nth: 2}, false},
		"the same, narrowly":              {letter{Nth: 2}, 1, func(p *plan) { p.matching = narrow }, letter{Nth: 2}, false},
		"what stands there":               {letter{Nth: 9}, 3, nil, letter{Nth: 2}, true},
		"of another type stands there":    {letter{Nth: 9}, 2, nil, letter{Nth: 1}, true},
		"nothing stands there":            {word{9}, 4, nil, word{1}, true},
		"it stood nowhere":                {letter{Nth: 9}, -1, nil, letter{Nth: 1}, true},
		"narrowly":                        {letter{Nth: 9}, 3, func(p *plan) { p.matching = narrow }, none, false},
		"by age":                          {letter{Nth: 9}, 3, func(p *plan) { p.matching = oldest }, letter{Nth: 2}, true},
		"nothing of its type":             {"", 1, nil, none, false},
		"the plan says the last":          {word{1}, 0, func(p *plan) { p.forged = map[int]int{0: 3} }, letter{Nth: 2}, false},
		"the plan says none":              {word{1}, 0, func(p *plan) { p.forged = map[int]int{0: 4} }, none, false},
		"the plan says it in another one": {word{1}, 0, func(p *plan) { p.forged = map[int]int{1: 3} }, word{1}, false},
		"the plan says a text":            {word{1}, 0, func(p *plan) { p.texts = text(letter{Nth: 2}) }, letter{Nth: 2}, false},
		"the plan says an unknown text":   {word{1}, 0, func(p *plan) { p.texts = text(letter{Nth: 9}) }, none, false},
	} {
		f := spoke(t)
		if c.at >= 0 {
			f.plan.base.places[1] = place{c.at, 4}
		}
		if c.change != nil {
			c.change(f.plan)
		}
		mv, ok := f.move(0, &world.Record{Move: world.Move{Kind: model.Forge, Node: 2, From: 3, Value: c.was}})
		assert.Equal(t, c.want != none, ok, name)
		assert.Equal(t, c.amiss, f.missed, name)
		if ok {
			assert.Equal(t, world.Move{Kind: model.Forge, Node: 2, From: 3, Value: c.want}, mv, name)
		}
	}
}

// In place of a lie of a node that is no liar any more an honest message of its type is delivered, the oldest that no later step takes.
func TestWhatComesInPlaceOfLies(t *testing.T) {
	for _, c := range []struct {
		was      any
		promised int // of the letters, from the oldest
		want     any
	}{{letter{Nth: 9}, 0, letter{Nth: 5}}, {letter{Nth: 9}, 1, letter{Nth: 6}}, {letter{Nth: 9}, 2, nil}, {word{9}, 0, nil}} {
		f := spoke(t)
		f.plan.nodes = []model.NodeID{0, 1, 2, 0}
		for was, b := range f.plan.base.births {
			if was.Kind == model.Deliver && b.nth <= c.promised {
				f.wanted[was] = true
			}
		}
		mv, ok := f.move(0, &world.Record{Move: world.Move{Kind: model.Forge, Node: 2, From: 3, Value: c.was}})
		assert.Equal(t, c.want != nil, ok)
		assert.True(t, f.missed)
		if ok {
			assert.Equal(t, model.Deliver, mv.Kind)
			assert.Equal(t, c.want, mv.Event.Value)
		}
	}
}

// Steps are at the nodes that stand in place of theirs, and at none where their node, or the one that it is about, is gone. A side of a partition
// is what remains of it. An alarm says nothing of a sender.
func TestStepsAtOtherNodes(t *testing.T) {
	in := func(f *follower, kind model.EventKind, node model.NodeID) *world.Event {
		for _, e := range f.plan.base.world.Pending() {
			if e.Kind == kind && e.Node == node {
				return e
			}
		}
		return nil
	}
	alarm := func(node model.NodeID) func(f *follower) world.Move {
		return func(f *follower) world.Move {
			return world.Move{Kind: model.Timeout, Event: in(f, model.Timeout, node)}
		}
	}
	is := func(mv world.Move) func(f *follower) world.Move { return func(*follower) world.Move { return mv } }
	swapped, gone := []model.NodeID{1, 0, 2, 3}, []model.NodeID{-1, 0, 2, 3}
	for name, c := range map[string]struct {
		nodes []model.NodeID
		mv    func(f *follower) world.Move
		want  *world.Move // nil: it is not possible
		at    model.NodeID
	}{
		"a crash":                 {swapped, is(world.Move{Kind: model.Stop, Node: 0}), &world.Move{Kind: model.Stop, Node: 1}, 0},
		"a crash of none":         {gone, is(world.Move{Kind: model.Stop, Node: 0}), nil, 0},
		"a partition":             {swapped, is(world.Move{Kind: model.Partition, Value: model.Side{0, 2}}), &world.Move{Kind: model.Partition, Value: model.Side{1, 2}, Node: 1}, 0},
		"a partition of fewer":    {gone, is(world.Move{Kind: model.Partition, Value: model.Side{0, 1}}), &world.Move{Kind: model.Partition, Value: model.Side{0}, Node: -1}, 0},
		"a mistake":               {swapped, is(world.Move{Kind: model.Mistake, Node: 0, Value: model.NodeID(1)}), &world.Move{Kind: model.Mistake, Node: 1, Value: model.NodeID(0)}, 0},
		"a mistake about none":    {gone, is(world.Move{Kind: model.Mistake, Node: 1, Value: model.NodeID(0)}), nil, 0},
		"a mistake of none":       {gone, is(world.Move{Kind: model.Mistake, Node: 0, Value: model.NodeID(1)}), nil, 0},
		"a lie of none":           {[]model.NodeID{0, 1, 2, -1}, is(world.Move{Kind: model.Forge, Node: 2, From: 3, Value: word{1}}), nil, 0},
		"an alarm":                {swapped, alarm(0), &world.Move{Kind: model.Timeout}, 1},
		"an alarm of none":        {gone, alarm(0), nil, 0},
		"an alarm, and 0 is gone": {gone, alarm(1), &world.Move{Kind: model.Timeout}, 0},
		"a letter of none":        {gone, func(f *follower) world.Move { return world.Move{Kind: model.Deliver, Event: in(f, model.Deliver, 2)} }, nil, 0},
		"a letter to none":        {[]model.NodeID{0, 1, -1, 3}, func(f *follower) world.Move { return world.Move{Kind: model.Deliver, Event: in(f, model.Deliver, 2)} }, nil, 0},
	} {
		f := spoke(t)
		f.plan.nodes = c.nodes
		mv, ok := f.move(0, &world.Record{Move: c.mv(f)})
		assert.Equal(t, c.want != nil, ok, name)
		assert.False(t, f.missed && !ok, name)
		switch {
		case !ok || c.want == nil:
		case mv.Event != nil:
			assert.Equal(t, c.want.Kind, mv.Kind, name)
			assert.Equal(t, c.at, mv.Event.Node, name)
		default:
			assert.Equal(t, *c.want, mv, name)
		}
	}
}
