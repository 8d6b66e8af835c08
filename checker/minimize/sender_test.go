package minimize

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// begged is a protocol of a server to which two clients have sent letters, in channels that keep the order, for two to four ticks: the first client
// one and the second two. It answers the second client when it has three.
var begged = &model.Protocol{Name: "begged",
	Claims: []model.Claim{{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }}},
	Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Faults: c.Faults, Types: []any{letter{}}, Network: model.Network{Channel: model.FIFO, Delay: model.Between(2, 4)},
			Nodes: []model.NodeSpec{{Name: "s", Role: model.Server, New: func() model.Node { return &begging{} }}}}
		for i, n := range []string{"c", "d"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: n, New: func() model.Node { return &beggar{letters: i + 1} }})
		}
		return s, nil
	}}

type (
	begging struct{ Got int }
	beggar  struct{ letters int }
)

func (b *begging) Receive(env model.Env, _ model.NodeID, _ any) {
	if b.Got++; b.Got == 3 {
		env.Send(2, letter{Nth: 9})
	}
}

func (b *beggar) Start(env model.Env) {
	for i := range b.letters {
		env.Send(0, letter{Nth: i})
	}
}

// begs is the beginning of a run of begged, and a plan for it of a run of no step that asks.
func begs(t *testing.T) *follower {
	t.Helper()
	m := &minimizer{protocol: begged, claims: begged.Claims, stages: map[string]*stage{}}
	header := traces.New(begged, "", model.Config{}, true, "nothing", "")
	header.Watched = []string{"nothing"}
	st, err := m.stage(header)
	require.NoError(t, err)
	run, err := m.start(st, 1, nil)
	require.NoError(t, err)
	of, err := m.start(st, 1, nil)
	require.NoError(t, err)
	return &follower{execution: run, plan: &plan{base: of.result(), stage: st, prompt: true}, wanted: map[*world.Event]bool{}}
}

// Who is to send a message is handed the oldest that it may have from whom the message is for, or else the oldest from another, as early as may be; none
// that a later step takes, nor one that cannot come yet, and nothing where the plan does not ask.
func TestWhoIsAskedForAMessage(t *testing.T) {
	type sent struct {
		from model.NodeID
		nth  int
	}
	for name, c := range map[string]struct {
		kind     model.EventKind
		to       model.NodeID
		promised []sent
		want     *sent
	}{
		"for d":                          {model.Deliver, 2, nil, &sent{2, 1}},
		"for c":                          {model.Deliver, 1, nil, &sent{1, 1}},
		"a lie for d":                    {model.Forge, 2, nil, &sent{2, 1}},
		"an alarm":                       {model.Timeout, 2, nil, nil},
		"what is for d is promised":      {model.Deliver, 2, []sent{{2, 1}}, &sent{1, 1}},
		"for d, of c is promised":        {model.Deliver, 2, []sent{{1, 1}}, &sent{2, 1}},
		"for c, which is promised":       {model.Deliver, 1, []sent{{1, 1}}, &sent{2, 1}},
		"for s itself":                   {model.Deliver, 0, nil, &sent{1, 1}},
		"all that may come are promised": {model.Deliver, 2, []sent{{1, 1}, {2, 1}}, nil},
	} {
		f := begs(t)
		for e, b := range f.plan.base.births {
			for _, p := range c.promised {
				if e.From == p.from && b.nth == p.nth {
					f.wanted[e] = true
				}
			}
		}
		r := &world.Record{Node: c.to, Move: world.Move{Kind: c.kind, Node: c.to, From: 0}}
		if c.kind != model.Forge {
			r.Move.Event = &world.Event{Kind: c.kind, Node: c.to, From: 0}
		}
		assert.Equal(t, c.want != nil, f.prompt(r), name)
		if c.want == nil {
			assert.Empty(t, f.records, name)
			continue
		}
		require.Len(t, f.records, 1, name)
		e := f.records[0].Move.Event
		assert.Equal(t, *c.want, sent{e.From, f.births[e].nth}, name)
		assert.Equal(t, world.Time(2), f.records[0].At, name)
		f.plan.prompt = false
		assert.False(t, f.prompt(r), name)
	}
}

// A node is handed up to three messages for one that it is to send.
func TestHowManyMessagesAreAskedFor(t *testing.T) {
	f := begs(t)
	f.plan.base.records = []world.Record{{Node: 2, Move: world.Move{Kind: model.Deliver, Event: &world.Event{Kind: model.Deliver, Node: 2, From: 0, Value: letter{}}}}}
	f.plan.drop = make([]bool, 1)
	require.True(t, f.follow(0))
	require.Len(t, f.records, 4)
	assert.Equal(t, letter{Nth: 9}, f.records[3].Move.Event.Value)
}
