package foreign_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/foreign"
)

// The protocol of these tests, written twice. Clients add to a counter at a server that crashes and restarts.
// The server is either an ordinary node, or an object with pointers, maps and unexported fields.

type add struct{ By int }

type total struct{ Is int }

type client struct{ Waits bool }

func (c *client) Invoke(env model.Env, op any) {
	c.Waits = true
	env.Send(0, add{op.(int)})
	env.After("again", model.Exactly(3))
}

// Timeout gives up.
func (c *client) Timeout(env model.Env, _ any) {
	c.Waits = false
	env.Return(-1)
}

func (c *client) Receive(env model.Env, _ model.NodeID, m any) {
	if c.Waits {
		c.Waits = false
		env.Cancel("again")
		env.Return(m.(total).Is)
	}
}

// A plain is the server as an ordinary node.
type plain struct {
	Saved int `contend:"stable"`
	Sum   int
	Of    map[model.NodeID]int
	Up    bool
}

func (p *plain) Start(model.Env) { p.Sum, p.Of, p.Up = p.Saved, map[model.NodeID]int{}, true }

func (p *plain) Receive(env model.Env, from model.NodeID, m any) {
	p.Sum += m.(add).By
	p.Of[from]++
	if env.Choose(2) == 0 {
		p.Saved = p.Sum
	}
	env.Send(from, total{p.Sum})
}

// A theirs is the server as library code.
type theirs struct {
	sum  *int
	of   map[model.NodeID]*tally
	self *theirs
	disk *disk
}

type tally struct {
	who  model.NodeID
	many int
}

type disk struct{ saved int }

func newTheirs(d *disk) *theirs {
	t := &theirs{sum: new(int), of: map[model.NodeID]*tally{}, disk: d}
	t.self = t
	*t.sum = d.saved
	return t
}

func (t *theirs) Receive(env model.Env, from model.NodeID, m any) {
	*t.self.sum += m.(add).By
	if t.of[from] == nil {
		t.of[from] = &tally{who: from}
	}
	t.of[from].many++
	if env.Choose(2) == 0 {
		t.disk.saved = *t.sum
	}
	env.Send(from, total{*t.sum})
}

type seen struct{ Sum int }

func library() *foreign.Library[*theirs, seen] {
	return &foreign.Library[*theirs, seen]{
		New:     func() *theirs { return newTheirs(&disk{}) },
		Recover: func(crashed *theirs) *theirs { return newTheirs(crashed.disk) },
		Stable:  func(t *theirs) any { return t.disk },
		View:    func(t *theirs) seen { return seen{*t.sum} },
	}
}

func counting(server func() model.Node, sum func(model.Node) int) *model.Protocol {
	return &model.Protocol{
		Name: "counting", Title: "a counter at a server", Params: []model.Parameter{model.Delay},
		Build: func(c model.Config) (*model.System, error) {
			s := &model.System{
				Config: c, Network: model.Network{Delay: model.By(1)}, Types: []any{add{}, total{}, "", 0},
				Faults: c.Faults,
				Nodes:  []model.NodeSpec{{Name: "server", Role: model.Server, New: server}},
			}
			for i := range 2 {
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("c", i+1), New: func() model.Node { return &client{} },
					Script: []model.Op{{Call: i + 1}}})
			}
			return s, nil
		},
		Claims: []model.Claim{
			atMost("at most five", 5, sum), atMost("at most two", 2, sum), atMost("at most nine", 9, sum),
			{Name: "all is over", Kind: model.Eventually, Done: true},
		},
	}
}

func atMost(name string, most int, sum func(model.Node) int) model.Claim {
	return model.Claim{Name: name, Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0] != nil && sum(nodes[0]) > most {
			return fmt.Errorf("it is %d", sum(nodes[0]))
		}
		return nil
	}}
}

func both() map[string]*model.Protocol {
	return map[string]*model.Protocol{
		"plain":   counting(func() model.Node { return &plain{} }, func(n model.Node) int { return n.(*plain).Sum }),
		"foreign": counting(library().Node, func(n model.Node) int { return n.(*foreign.Node[seen]).View.Sum }),
	}
}

// The result of a search does not depend on which of the two it is.
func TestAlike(t *testing.T) {
	for _, reading := range []model.Reading{model.Untimed, model.Grid, model.Dense} {
		for _, faults := range []model.Faults{{}, {Restarts: 1}, {Loss: 1}} {
			if reading == model.Dense && faults.Restarts > 0 {
				continue // a message that comes again is not read in dense time
			}
			rows := map[string]*checker.Row{}
			for _, name := range slices.Sorted(maps.Keys(both())) {
				all, err := checker.Check(both()[name], model.Check{Reading: reading, Config: model.Config{Faults: faults}}, checker.Options{})
				require.NoError(t, err)
				require.Len(t, all, 1)
				rows[name] = all[0]
			}
			assert.Equal(t, rows["plain"].States, rows["foreign"].States)
			for i, c := range rows["plain"].Claims {
				assert.Equal(t, c.Verdict, rows["foreign"].Claims[i].Verdict)
				if c.Counterexample != nil {
					assert.Len(t, rows["foreign"].Claims[i].Counterexample.Steps, len(c.Counterexample.Steps), "the shortest")
				}
			}
		}
	}
}
