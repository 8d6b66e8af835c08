package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/lab/compare"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
)

// An obvious system is a system with obvious verdicts.
type obvious struct {
	name   string
	system *model.System
	claim  model.Claim
	truth  map[model.Reading]oracle.Verdict
}

// A puppet does what its funcs say.
type puppet struct {
	start   func(p *puppet, env model.Env)
	invoke  func(p *puppet, env model.Env, op any)
	receive func(p *puppet, env model.Env, from model.NodeID, m any)
	timeout func(p *puppet, env model.Env, key any)
	S       int
}

func (p *puppet) Start(env model.Env) {
	if p.start != nil {
		p.start(p, env)
	}
}

func (p *puppet) Invoke(env model.Env, op any) {
	if p.invoke != nil {
		p.invoke(p, env, op)
	}
}

func (p *puppet) Receive(env model.Env, from model.NodeID, m any) {
	if p.receive != nil {
		p.receive(p, env, from, m)
	}
}

func (p *puppet) Timeout(env model.Env, key any) {
	if p.timeout != nil {
		p.timeout(p, env, key)
	}
}

// node makes a node of a role.
func node(name string, role model.Role, p puppet, script ...model.Op) model.NodeSpec {
	return model.NodeSpec{Name: name, Role: role, Script: script, New: func() model.Node { q := p; return &q }}
}

// system makes a system of nodes, on a network whose messages arrive within a tick.
func system(nodes ...model.NodeSpec) *model.System {
	return &model.System{Nodes: nodes, Network: model.Network{Delay: model.By(1)}, Types: []any{0, "", items{}}}
}

type items struct{ All []int }

// noted reaches its goal once some numbers have been noted in a row. Another claim is that they never are.
type noted struct {
	want  []int
	never bool
	At    int
}

func (n *noted) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Noted || n.At == len(n.want) || o.Value != n.want[n.At] {
		return
	}
	if n.At++; n.never && n.At == len(n.want) {
		w.Violate("all of it is noted")
	}
}

func (n *noted) Reached() bool { return n.At == len(n.want) }

// notes returns a claim of a kind that numbers are noted, or always that they never are.
func notes(kind model.Kind, want ...int) model.Claim {
	return model.Claim{Name: "notes", Kind: kind, Monitor: func(*model.System) model.Monitor {
		return &noted{want: want, never: kind == model.Always}
	}}
}

func done(kind model.Kind) model.Claim { return model.Claim{Name: "done", Kind: kind, Done: true} }

// rings notes a number for each of its alarms. It sets them at the start.
func rings(windows ...model.Window) *model.System {
	var nodes []model.NodeSpec
	for i, w := range windows {
		nodes = append(nodes, node(string(rune('a'+i)), model.Peer, puppet{
			start:   func(_ *puppet, env model.Env) { env.After("ring", w) },
			timeout: func(_ *puppet, env model.Env, _ any) { env.Note(i + 1) },
		}))
	}
	return system(nodes...)
}

func open(lo, hi model.Ticks) model.Window {
	return model.Window{Lo: model.Below(lo), Hi: model.Below(hi)}
}

// in returns the same verdict for some readings.
func in(v oracle.Verdict, readings ...model.Reading) map[model.Reading]oracle.Verdict {
	m := map[model.Reading]oracle.Verdict{}
	for _, r := range readings {
		m[r] = v
	}
	return m
}

func timed(v oracle.Verdict) map[model.Reading]oracle.Verdict { return in(v, model.Grid, model.Dense) }

// Brute force returns the obvious verdicts, and the search agrees.
func TestObvious(t *testing.T) {
	for _, x := range slicesOf(timedCases(), heldCases(), faultCases(), fairCases(), keptCases(), owedCases(), stoppedCases(), surelyCases()) {
		for reading, want := range x.truth {
			t.Run(x.name+"/"+reading.String(), func(t *testing.T) {
				require.NoError(t, x.system.Validate())
				is, err := oracle.Judge(x.system, []model.Claim{x.claim}, reading, 500)
				require.NoError(t, err)
				assert.Equal(t, want, is.Verdicts[0], "brute force")
				for _, reduce := range [][]string{{}, nil} {
					rows, err := compare.Check(random.Case{System: x.system, Claims: []model.Claim{x.claim}, Reading: reading}, checker.Options{Reduce: reduce, Workers: 1})
					require.NoError(t, err)
					got, ok := compare.Find(rows, x.claim.Name)
					require.True(t, ok)
					assert.True(t, compare.Claim{Truth: want, Verdict: got.Verdict}.Agrees(), "the search says %s %s", got.Verdict, got.Text)
				}
			})
		}
	}
}

func slicesOf(lists ...[]obvious) (all []obvious) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Windows that only touch come in one order; those between whole ticks come at all.
func timedCases() []obvious {
	between := rings(open(0, 1), model.Exactly(1))
	chain := system(node("a", model.Peer, puppet{
		start: func(_ *puppet, env model.Env) { env.After("ring", open(0, 1)) },
		timeout: func(p *puppet, env model.Env, _ any) {
			if p.S++; p.S == 3 {
				env.Note(1)
				return
			}
			env.After("ring", open(0, 1))
		},
	}), node("b", model.Peer, puppet{
		start:   func(_ *puppet, env model.Env) { env.After("ring", model.Exactly(1)) },
		timeout: func(_ *puppet, env model.Env, _ any) { env.Note(2) },
	}))
	first := system(node("a", model.Peer, puppet{
		start: func(_ *puppet, env model.Env) { env.After(1, open(0, 1)); env.After(2, model.Exactly(1)) },
		timeout: func(p *puppet, env model.Env, key any) {
			if p.S == 0 {
				p.S = key.(int)
				env.Note(key)
			}
		},
	}))
	return []obvious{
		{"nothing is doomed where one is always first", first, notes(model.PossibleFromEverywhere, 1), timed(oracle.Holds)},
		{"the first comes first", between, notes(model.Sometimes, 1, 2), timed(oracle.Holds)},
		{"the second never does", between, notes(model.Sometimes, 2, 1), timed(oracle.Violated)},
		{"untimed it does", between, notes(model.Sometimes, 2, 1), in(oracle.Holds, model.Untimed)},
		{"ties come in both orders", rings(model.Exactly(1), model.Exactly(1)), notes(model.Sometimes, 2, 1), timed(oracle.Holds)},
		{"what lies between ticks is possible", between, notes(model.PossibleFromEverywhere, 1), timed(oracle.Holds)},
		{"what lies between ticks happens", between, notes(model.Eventually, 1), timed(oracle.Holds)},
		{"three within a tick", chain, notes(model.Sometimes, 1, 2), timed(oracle.Holds)},
		{"or two", chain, notes(model.Sometimes, 2, 1), timed(oracle.Holds)},
	}
}

// asked returns a node that holds, and checks the hold when its alarm rings: 1 means that the hold lasts.
func asked(length model.Bound, ring model.Window) *model.System {
	return system(node("a", model.Peer, puppet{
		start: func(_ *puppet, env model.Env) { env.Hold("lease", length); env.After("ring", ring) },
		timeout: func(_ *puppet, env model.Env, _ any) {
			if env.Held("lease") {
				env.Note(1)
			} else {
				env.Note(2)
			}
		},
	}))
}

// A hold includes its end, or excludes it.
func heldCases() []obvious {
	return []obvious{
		{"it lasts through its end", asked(model.Through(1), model.Exactly(1)), notes(model.Sometimes, 2), timed(oracle.Violated)},
		{"it is over after its end", asked(model.Through(1), model.Between(1, 2)), notes(model.Sometimes, 2), timed(oracle.Holds)},
		{"it is over at its end", asked(model.Below(1), model.Exactly(1)), notes(model.Sometimes, 1), timed(oracle.Violated)},
		{"it lasts up to its end", asked(model.Below(1), model.Between(0, 1)), notes(model.Sometimes, 1), timed(oracle.Holds)},
		{"untimed, either", asked(model.Through(1), model.Exactly(1)), notes(model.Sometimes, 2), in(oracle.Holds, model.Untimed)},
	}
}
