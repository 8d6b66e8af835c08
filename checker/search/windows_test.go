package search

import (
	"slices"
	"testing"

	"contend/model"
)

// overtaken is a channel in which a message that does nothing and one that matters have
// windows of their own. The server notes 1 if the one that matters comes before its alarm,
// and 2 if it comes after.
func overtaken(windows map[any]model.Window, order ...any) *model.System {
	s := system(
		client("c", scripted{start: func(_ *scripted, env model.Env) {
			for _, m := range order {
				env.Send(1, m)
			}
		}}),
		server("s", scripted{
			start:   func(_ *scripted, env model.Env) { env.After("alarm", model.Exactly(2)) },
			timeout: func(n *scripted, _ model.Env, _ any) { n.S = 1 },
			receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
				if m == "matters" {
					env.Note(mark{n.S + 1})
				}
			},
		}))
	s.Network = model.Network{Channel: model.FIFO, Messages: func(_, _ model.NodeID, m any) model.Window { return windows[m] }}
	return s
}

// On FIFO a slow message that does nothing keeps back the one behind it, and a quick one
// hurries the one before: neither is absorbed where messages have windows of their own.
func TestAbsorptionHeedsWindowsOnFIFO(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     *model.System
		never int
	}{
		{"behind a slow one", overtaken(map[any]model.Window{"idle": model.Between(3, 4), "matters": model.Between(0, 4)}, "idle", "matters"), 1},
		{"before a quick one", overtaken(map[any]model.Window{"matters": model.Between(0, 4), "idle": model.Between(0, 1)}, "matters", "idle"), 2},
	} {
		for _, opt := range []Options{onGrid, inDense} {
			opt.Stale = true
			if r := explore(t, c.s, opt, never(c.never)); r.verdict(0) != holds {
				t.Errorf("%s, dense %v: %+v", c.name, opt.Dense, r.verdict(0))
			}
			if r := explore(t, c.s, opt, never(3-c.never)); r.verdict(0) != refuted {
				t.Errorf("%s, dense %v: the other way, %+v", c.name, opt.Dense, r.verdict(0))
			}
		}
	}
}

// Where a channel has one window what stands behind may not come sooner: messages are
// absorbed there, and on other channels whatever their windows.
func TestAbsorptionKeepsItsPlaces(t *testing.T) {
	one := overtaken(nil, "idle", "matters")
	one.Network.Messages, one.Network.Delay = nil, model.Between(1, 3)
	own := overtaken(map[any]model.Window{"idle": model.Between(3, 4), "matters": model.Between(0, 4)}, "idle", "matters")
	untimed := *own
	bag := *own
	bag.Network.Channel = model.Bag
	for name, c := range map[string]struct {
		s    *model.System
		opts []Options
	}{
		"one window": {one, []Options{{}, onGrid, inDense}},
		"untimed":    {&untimed, []Options{{}}},
		"a bag":      {&bag, []Options{{}, onGrid, inDense}},
	} {
		for _, opt := range c.opts {
			opt.Stale = true
			for _, note := range []int{1, 2} {
				r := explore(t, c.s, opt, never(note), never(3))
				if r.verdict(0) != refuted || !slices.Contains(r.Reductions, "stale absorption") {
					t.Errorf("%s, timed %v, dense %v, note %d: %+v, reductions %v", name, opt.Timed, opt.Dense, note, r.verdict(0), r.Reductions)
				}
			}
		}
	}
}
