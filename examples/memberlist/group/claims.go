package group

import "contend/model"

// Time limits of the claims, in milliseconds. See the README.
const (
	finds    = 7500
	meets    = 8000
	leaves   = 4000
	tells    = 6000
	forgets  = 6500
	hears    = 600
	short    = 500  // an outage in which nobody can be declared dead
	patience = 1400 // how long a node is suspected at least before it is declared dead
	settles  = 8000 // until nobody considers a node dead that was disconnected
)

// The names of the claims.
const (
	listed    = "who joins is listed at once"
	welcome   = "who joins is listed soon, whatever was before"
	met       = "all that are up list each other in time"
	found     = "the dead are found in time"
	living    = "nobody that is up is declared dead"
	departed  = "who has left is listed so in time"
	heard     = "news are gossiped"
	told      = "news of a node reach all in time"
	forgotten = "who is gone is forgotten in time"
	tellable  = "what nobody disturbs is told"
	one       = "what is told in an incarnation does not change"
	waited    = "who is declared dead was suspected for a while"
	leaving   = "who leaves is not declared dead"
	grow      = "incarnations do not decrease"
	raised    = "the dead come back by a newer incarnation only"
	made      = "incarnations are made by their node alone"
)

var claimed = []model.Claim{
	{Name: listed, Kind: model.Always, Source: source + `, Join: "a state sync"`, Assumes: []model.Assumption{model.Timed},
		Monitor: func(s *model.System) model.Monitor { return &atOnce{World: newWorld(s)} }},
	{Name: welcome, Kind: model.Always, Source: source + `, refute: "It will make sure the incarnation number beats the given accusedInc value"`,
		Assumes: []model.Assumption{model.Timed, model.NoPartition, model.NoLoss},
		Monitor: inTime(hears, false, "has joined it", func(w *world, p pair) bool { return w.joined(p) && w.Met[pair{p.Of, p.By}] },
			func(w *world, p pair) bool { return w.is(p).has() })},
	{Name: met, Kind: model.Always, Source: source, Assumes: []model.Assumption{model.Timed, model.NoPartition},
		Monitor: inTime(meets, true, "is up as well", (*world).joined, func(w *world, p pair) bool { return w.is(p).has() })},
	{Name: found, Kind: model.Always, Source: swim + ", §4.3: time bounded completeness", Assumes: []model.Assumption{model.Timed},
		Monitor: inTime(finds, false, "has crashed", func(w *world, p pair) bool { return w.in(p.By) && w.Down[p.Of] }, func(w *world, p pair) bool { return !w.is(p).has() })},
	{Name: living, Kind: model.Always, Source: lifeguard, Assumes: []model.Assumption{model.Timed, model.NoLoss},
		Monitor: func(s *model.System) model.Monitor { return &spared{World: newWorld(s)} }},
	{Name: departed, Kind: model.Always, Source: source + `, deadNode: "other nodes know for sure this node is gone"`, Assumes: []model.Assumption{model.Timed, model.NoLoss, model.NoMemoryLoss, model.NoCrash},
		Monitor: inTime(leaves, false, "has left", func(w *world, p pair) bool { return w.in(p.By) && w.Left[p.Of] && len(w.Cut) == 0 }, func(w *world, p pair) bool { is := w.is(p).State; return is == "left" || is == "unknown" })},
	{Name: leaving, Kind: model.Always, Source: source + `, deadNode: "If the dead message was send by the node itself, mark it is left instead of dead"`,
		Assumes: []model.Assumption{model.Timed, model.NoPartition, model.NoLoss, model.NoMemoryLoss, model.NoCrash},
		Monitor: each(func(c *changes, w model.Watch, p pair, _, to entry) {
			if c.World.Away[p.Of] && !c.World.Trouble && to.State == "dead" {
				w.Violate("n%d takes n%d for dead, which leaves", p.By, p.Of)
			}
		})},
	{Name: told, Kind: model.Always, Source: source + `, UpdateNode: "trigger re-advertising the local node"`, Assumes: []model.Assumption{model.Timed, model.NoPartition},
		Monitor: inTime(tells, true, "has told something else since", (*world).joined, func(w *world, p pair) bool { is := w.is(p); return !is.has() || is.Meta == w.Meta[p.Of] })},
	{Name: heard, Kind: model.Always, Source: source + ", Config, GossipInterval", Assumes: []model.Assumption{model.Timed, model.NoPartition, model.NoLoss, model.NoMemoryLoss, model.NoCrash},
		Monitor: inTime(hears, false, "has told something else since",
			func(w *world, p pair) bool {
				return w.calm() && w.joined(p) && w.is(p).has() && w.is(pair{p.Of, p.By}).has()
			},
			func(w *world, p pair) bool { return w.is(p).Meta == w.Meta[p.Of] })},
	{Name: tellable, Kind: model.Always, Source: source + `, Leave and UpdateNode: "block until the message is successfully broadcasted"`,
		Assumes: []model.Assumption{model.Timed, model.NoLoss},
		Monitor: func(s *model.System) model.Monitor { return &answered{World: newWorld(s)} }},
	{Name: forgotten, Kind: model.Always, Source: source + ", GossipToTheDeadTime", Assumes: []model.Assumption{model.Timed},
		Monitor: inTime(forgets, false, "is gone", func(w *world, p pair) bool { return w.in(p.By) && !w.in(p.Of) }, func(w *world, p pair) bool { return !w.is(p).gone() })},
	{Name: waited, Kind: model.Always, Source: lifeguard + ", §IV", Assumes: []model.Assumption{model.Timed},
		Monitor: func(s *model.System) model.Monitor { return &patient{World: newWorld(s), Declared: map[life]bool{}} }},
	{Name: one, Kind: model.Always, Source: source + `, aliveNode: "Bail if the incarnation number is older"`,
		Monitor: each(func(c *changes, w model.Watch, p pair, _, to entry) {
			is := life{p.Of, to.Incarnation}
			switch meta, told := c.Metas[is]; {
			case to.State != "alive" || c.World.Again[p.Of]:
			case !told:
				c.Metas[is] = to.Meta
			case meta != to.Meta:
				w.Violate("n%d has n%d in incarnation %d, which tells %q, and told %q in the same", p.By, p.Of, to.Incarnation, to.Meta, meta)
			}
		})},
	{Name: grow, Kind: model.Always, Source: source + `, aliveNode, suspectNode, deadNode: "Ignore old incarnation numbers"`,
		Monitor: each(func(_ *changes, w model.Watch, p pair, from, to entry) {
			if from.State != "unknown" && to.State != "unknown" && to.Incarnation < from.Incarnation {
				w.Violate("n%d had n%d as %s in incarnation %d, and has it as %s in %d", p.By, p.Of, from.State, from.Incarnation, to.State, to.Incarnation)
			}
		})},
	{Name: raised, Kind: model.Always, Source: swim + `, §4.2: "{Alive Ml, inc = i} overrides {Suspect Ml, inc = j}, i > j"`,
		Monitor: each(func(_ *changes, w model.Watch, p pair, from, to entry) {
			if from.gone() && to.has() && to.Incarnation <= from.Incarnation {
				w.Violate("n%d had n%d as %s in incarnation %d, and has it as %s in %d", p.By, p.Of, from.State, from.Incarnation, to.State, to.Incarnation)
			}
		})},
	{Name: made, Kind: model.Always, Source: swim + `, §4.2: "only Ml can increment its own incarnation number"`,
		Monitor: each(func(c *changes, w model.Watch, p pair, _, to entry) {
			if to.Incarnation > c.Own[p.Of] {
				w.Violate("n%d has n%d in incarnation %d, which was in %d at most", p.By, p.Of, to.Incarnation, c.Own[p.Of])
			}
		})},
	{Name: "all list each other", Kind: model.Sometimes, Monitor: func(s *model.System) model.Monitor { return &acquainted{World: newWorld(s)} }},
}
