package membership

import (
	"contend/model"
	"contend/model/claims"
)

const (
	source = "github.com/hashicorp/memberlist"
	swim   = "Das, Gupta and Motivala, SWIM, 2002, §4.2"
)

// The names of the claims.
const (
	refutes   = "the accused refute"
	spared    = "a suspicion that is over kills nobody"
	grow      = "incarnations do not decrease"
	raised    = "the dead come back by a newer incarnation only"
	outweighs = "the dead are not raised by old news"
	made      = "incarnations are made by their node alone"
	known     = "the living are known in the end"
	agreed    = "all agree in the end on who is gone"
	departed  = "all know in the end that a node has left"
	leaver    = "who leaves has left in the end"
	buried    = "all know in the end that a node is dead"
)

var claimed = []model.Claim{
	{
		Name: refutes, Kind: model.Always, Source: source + `, refute: "It will make sure the incarnation number beats the given accusedInc value"`,
		Monitor: sees(func(w model.Watch, v any) {
			if a, is := v.(Accused); is {
				w.Witness()
				if a.Now <= a.Incarnation {
					w.Violate("it is told not to be alive in incarnation %d, and stays in incarnation %d", a.Incarnation, a.Now)
				}
			}
		}),
	},
	claims.Vacuous(model.Claim{
		Name: spared, Kind: model.Always, Source: source + `, suspectNode: the timer compares the time of the change`,
		Monitor: sees(func(w model.Watch, v any) {
			if o, is := v.(Over); is {
				w.Witness()
				if o.To != o.From {
					w.Violate("the timer of a suspicion goes off that was over; it had p%d as %v, and has it as %v", o.Of+1, o.From, o.To)
				}
			}
		}),
	}, func(s *model.System) bool { return s.Config.N < 3 && Probes.Of(s.Config) < 2 }, "the timer of the only suspicion goes with it"),
	{
		Name: grow, Kind: model.Always, Source: source + `, aliveNode, suspectNode, deadNode: "Ignore old incarnation numbers"`,
		Monitor: sees(func(w model.Watch, v any) {
			if c, is := v.(Changed); is && c.From.State != unknown && c.To.State != unknown {
				w.Witness()
				if c.To.Incarnation < c.From.Incarnation {
					w.Violate("it had p%d as %v, and has it as %v", c.Of+1, c.From, c.To)
				}
			}
		}),
	},
	{
		Name: raised, Kind: model.Always, Source: swim + `: "{Alive Ml, inc = i} overrides {Suspect Ml, inc = j}, i > j"`,
		Monitor: sees(func(w model.Watch, v any) {
			if c, is := v.(Changed); is && (c.From.State == dead || c.From.State == left) && c.To.State == alive {
				w.Witness()
				if c.To.Incarnation <= c.From.Incarnation {
					w.Violate("it had p%d as %v, and has it as %v", c.Of+1, c.From, c.To)
				}
			}
		}),
	},
	{
		Name: outweighs, Kind: model.Always, Source: swim + `: "{Confirm Ml} overrides {Alive Ml}"`,
		Monitor: func(*model.System) model.Monitor { return &deaths{} },
	},
	{
		Name: made, Kind: model.Always, Source: swim + `: "only Ml can increment its own incarnation number"`,
		Monitor: func(*model.System) model.Monitor { return &makers{} },
	},
	{
		Name: known, Kind: model.PossibleFromEverywhere, Source: swim, Assumes: settled,
		Monitor: ends(func(v *views) bool {
			return v.all(func(is State, of model.NodeID) bool { return v.Gone[of] != "" || is == alive })
		}),
	},
	{
		Name: agreed, Kind: model.PossibleFromEverywhere, Source: source + `, mergeState`, Assumes: settled,
		Monitor: ends((*views).agree),
	},
	{
		Name: departed, Kind: model.PossibleFromEverywhere, Source: source + `, deadNode: "other nodes know for sure this node is gone"`, Assumes: settled,
		Monitor: ends(func(v *views) bool {
			return v.all(func(is State, of model.NodeID) bool { return v.Gone[of] != left || is == left || is == unknown })
		}),
	},
	{
		Name: leaver, Kind: model.PossibleFromEverywhere, Source: source + `, Leave: "Leave will broadcast a leave message"`, Assumes: settled,
		Monitor: ends(func(v *views) bool {
			for id, how := range v.Gone {
				if how == left && v.Is[id][id] != left {
					return false
				}
			}
			return true
		}),
	},
	{
		Name: buried, Kind: model.PossibleFromEverywhere, Source: swim, Assumes: settled,
		Monitor: ends(func(v *views) bool {
			return v.all(func(is State, of model.NodeID) bool { return v.Gone[of] != dead || gone(is) })
		}),
	},
}

// settled assumes that every message arrives.
var settled = []model.Assumption{model.NoLoss}

// A watcher remembers nothing: each observation is judged alone.
type watcher struct{ judge func(w model.Watch, v any) }

func (j *watcher) Observe(w model.Watch, o model.Observation) { j.judge(w, o.Value) }

func sees(judge func(w model.Watch, v any)) func(*model.System) model.Monitor {
	return func(*model.System) model.Monitor { return &watcher{judge} }
}
