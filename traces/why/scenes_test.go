package why_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/judge"
	"contend/model"
	"contend/model/claims"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/why"
)

// explained returns the sentences on the shortest violation of a protocol's first claim.
func explained(t *testing.T, p *model.Protocol, check model.Check) []string {
	t.Helper()
	rows, err := checker.Check(p, check, checker.Options{Seed: 1, Workers: 1})
	require.NoError(t, err, p.Name)
	i := slices.IndexFunc(rows[0].Claims, func(r checker.ClaimResult) bool { return r.Verdict == checker.Violated })
	require.GreaterOrEqual(t, i, 0, "%s: %+v", p.Name, rows[0].Claims)
	run, err := replay.Replay(p, rows[0].Claims[i].Counterexample, judge.Watched(p.Statements()))
	require.NoError(t, err, p.Name)
	e, book := why.Explain(run), ledgerOf(run)
	for _, says := range e.Sentences {
		assert.Empty(t, book.told(says), "%s: %s", p.Name, says)
	}
	assert.NotEmpty(t, e.Short, p.Name)
	assert.Subset(t, e.Sentences, e.Short, p.Name)
	return e.Sentences
}

// section gives each client a number of passages through a critical section.
func section(p *model.Protocol, passages int) *model.Protocol {
	build := p.Build
	p.Build = func(cfg model.Config) (*model.System, error) {
		s, err := build(cfg)
		for i, n := range s.Nodes {
			if n.Role == model.Client {
				s.Nodes[i].Script = slices.Repeat([]model.Op{{Call: Ask{}, Release: GiveUp{}, After: model.Anytime(), Stay: model.Anytime()}}, passages)
			}
		}
		return s, err
	}
	return p
}

// Mistaken takes the other's request for a permission.
type Mistaken struct{ other model.NodeID }

func (m *Mistaken) Invoke(env model.Env, _ any) { env.Send(m.other, LockIt{}) }

func (m *Mistaken) Receive(env model.Env, _ model.NodeID, _ any) { env.Return(nil) }

func mistaken(other model.NodeID) func() model.Node {
	return func() model.Node { return &Mistaken{other} }
}

// A node that has received requests, but no answers, has still heard from other nodes.
func TestRequestsAlone(t *testing.T) {
	p := section(cluster{types: []any{Ask{}, LockIt{}, GiveUp{}}}.client("a", mistaken(1)).client("b", mistaken(0)).protocol("mistaken", claims.MutualExclusion()), 1)
	assert.Equal(t, []string{
		"These do not go together: a enters the section at step 4; b enters the section at step 6.",
		"When a went on, it had got requests like its own alone since its operation began at step 1.",
		"When b went on, it had got requests like its own alone since its operation began at step 2.",
	}, explained(t, p, model.Check{}))
}

// A Caller makes the calls of its script, and accepts any answer.
type Caller struct{ to []model.NodeID }

func (c *Caller) Invoke(env model.Env, call any) {
	for _, to := range c.to {
		env.Send(to, call)
	}
}

func (*Caller) Receive(env model.Env, _ model.NodeID, _ any) { env.Return(nil) }

func caller(to ...model.NodeID) func() model.Node { return func() model.Node { return &Caller{to} } }

// Handler makes a node from a function that handles messages.
type Handler struct {
	Took int
	does func(env model.Env, h *Handler, from model.NodeID, m any)
}

func (h *Handler) Receive(env model.Env, from model.NodeID, m any) { h.does(env, h, from, m) }

func does(f func(env model.Env, h *Handler, from model.NodeID, m any)) func() model.Node {
	return func() model.Node { return &Handler{does: f} }
}

var allReturn = model.Claim{Name: "all return", Kind: model.Eventually, Done: true}

// If a handler fails, the sentence names the step, its message, and the node's state.
func TestHandlerFails(t *testing.T) {
	s := does(func(_ model.Env, h *Handler, _ model.NodeID, _ any) {
		if h.Took++; h.Took == 2 {
			panic("two are too much")
		}
	})
	p := cluster{types: []any{Ask{}}}.client("c", caller(1, 1), Ask{}).server("s", s).protocol("fails", allReturn)
	drawn, _ := toy.Drive(t, p, "", model.Config{}, false, nil, 1)
	run, err := replay.Replay(p, drawn, nil)
	require.NoError(t, err)
	e := why.Explain(run)
	assert.Equal(t, []string{
		"It fails at step 3: c → s: Ask arrives.",
		"Ask was sent by c at step 1.",
		"s had Took 1.",
	}, e.Sentences)
	assert.Equal(t, []string{e.Sentences[0], e.Sentences[2]}, e.Short)
	assert.Equal(t, []int{1, 3}, e.Steps)
}

// A message that is forwarded is followed for nine steps. The rest is described at the end.
func TestSentOn(t *testing.T) {
	for hops, says := range map[int]string{
		3:  "Ask to sb, and that Ask to sc, which arrives at step 4, and nothing comes of it.",
		12: "Ask to sb, and that Ask to sc, and that Ask to sd, and that Ask to se, and that Ask to sf, and that Ask to sg, and that Ask to sh, and that Ask to si, which arrives at step 10.",
	} {
		c := cluster{types: []any{Ask{}}}.client("c", caller(1), Ask{})
		for i := range hops {
			c = c.server("s"+string(rune('a'+i)), does(func(env model.Env, _ *Handler, _ model.NodeID, m any) {
				if i+1 < hops {
					env.Send(model.NodeID(i+2), m)
				}
			}))
		}
		assert.Equal(t, []string{
			"The goal cannot be reached from the beginning.",
			"The Ask of c, invoked at step 1, has not returned.",
			"c waits: sa got its Ask at step 2: sa sent Ask to sb, and nothing changed in its state, but has sent on " + says,
			"In the end sa has nothing set.",
		}, explained(t, c.protocol("chain", allReturn), model.Check{}))
	}
}

// Busy asks another, and answers when its own operation has returned.
type Busy struct {
	other model.NodeID
	Runs  bool
	Owes  bool
}

func (b *Busy) Invoke(env model.Env, call any) { b.Runs = true; env.Send(b.other, call) }

func (b *Busy) Receive(env model.Env, from model.NodeID, m any) {
	_, asks := m.(Ask)
	if asks && b.Runs {
		b.Owes = true
		return
	}
	if asks {
		env.Send(from, Granted{})
		return
	}
	if b.Runs = false; b.Owes {
		env.Send(0, Granted{})
	}
	b.Owes = false
	env.Return(nil)
}

// Slow answers after a while.
type Slow struct{ To model.NodeID }

func (s *Slow) Receive(env model.Env, from model.NodeID, _ any) {
	s.To = from
	env.After(term{}, model.Exactly(1))
}

func (s *Slow) Timeout(env model.Env, _ any) { env.Send(s.To, Granted{}) }

// One node waits for another node that waits for nobody, since its message has not arrived at a node that may
// answer. So there is no circle.
func TestNoCircle(t *testing.T) {
	p := cluster{types: []any{Ask{}, Granted{}, term{}}}.
		client("a", func() model.Node { return &Busy{other: 1} }, Ask{}).
		client("b", func() model.Node { return &Busy{other: 2} }, Ask{}).
		server("c", func() model.Node { return &Slow{} }).
		protocol("busy", allReturn)
	assert.Equal(t, []string{
		"The Ask of a, invoked at step 1, has not returned; the Ask of b, invoked at step 2, has not returned.",
		"a waits: b got its Ask at step 3: b's Owes went from false to true, and b sent nothing.",
		"b waits: its Ask to c, sent at step 2, was lost at step 4.",
		"In the end b has Runs true (since step 2) and Owes true (since step 3).",
		"Faults in this run: the message Ask is lost, from b to c (step 4).",
	}, explained(t, p, model.Check{Config: model.Config{Faults: model.Faults{Loss: 1}}}))
}

// If the goal is unreachable, the remaining steps of the run are listed if they are few. At the end of the
// run there are none.
func TestDoomed(t *testing.T) {
	possible := model.Claim{Name: "all may return", Kind: model.PossibleFromEverywhere, Done: true}
	chain := func(hops int) *model.Protocol {
		c := cluster{types: []any{Ask{}}}.client("c", caller(1), Ask{})
		for i := range hops {
			c = c.server("s"+string(rune('a'+i)), does(func(env model.Env, _ *Handler, _ model.NodeID, m any) {
				if i+1 < hops {
					env.Send(model.NodeID(i+2), m)
				}
			}))
		}
		return c.protocol("chain", possible)
	}
	assert.Equal(t, []string{
		"The goal cannot be reached from the beginning.",
		"If it goes on from there without the environment, in one of the ways that there are, it stops 2 steps later (1 c invokes Ask; 2 c → sa Ask arrives).",
		"c waits: sa got its Ask at step 2 (to come), of which nothing came.",
		"In the end sa has nothing set.",
	}, explained(t, chain(1), model.Check{}))
	for hops, told := range map[int]bool{7: true, 8: false} {
		says := explained(t, chain(hops), model.Check{})[1]
		assert.Equal(t, told, strings.HasSuffix(says, " arrives)."), says)
		assert.Contains(t, says, fmt.Sprintf(" stops %d steps later", hops+1))
	}
	answers := does(func(env model.Env, _ *Handler, from model.NodeID, m any) { env.Send(from, m) })
	lossy := cluster{types: []any{Ask{}}}.client("c", caller(1), Ask{}).server("s", answers).protocol("lossy", possible)
	assert.Equal(t, []string{
		"The Ask of c, invoked at step 1, has not returned.",
		"c waits: its Ask to s, sent at step 1, was lost at step 2.",
		"Faults in this run: the message Ask is lost, from c to s (step 2).",
	}, explained(t, lossy, model.Check{Config: model.Config{Faults: model.Faults{Loss: 1}}}))
}

// praise is a goal that somebody is praised. Nobody ever is.
type praise struct{ Heard int }

func (p *praise) Observe(_ model.Watch, o model.Observation) { p.Heard++ }

func (*praise) Reached() bool { return false }

// If nobody waits and nothing is missing, the monitor's own sentence is used. The answer caused the return,
// though no state changed.
func TestOwes(t *testing.T) {
	claim := model.Claim{Name: "praise", Kind: model.Eventually, Monitor: func(*model.System) model.Monitor { return &praise{} }}
	answers := does(func(env model.Env, _ *Handler, from model.NodeID, m any) { env.Send(from, m) })
	p := cluster{types: []any{Ask{}}}.client("c", caller(1), Ask{}).server("s", answers).protocol("thankless", claim)
	assert.Equal(t, []string{
		"The goal cannot be reached from the beginning.",
		"What the claim's monitor keeps of the run in the end: Heard 2.",
	}, explained(t, p, model.Check{}))
	claim.Kind = model.PossibleFromEverywhere
	p.Claims = []model.Claim{claim}
	assert.Equal(t, []string{
		"The goal cannot be reached from the beginning.",
		"If it goes on from there without the environment, in one of the ways that there are, it stops 4 steps later (1 c invokes Ask; 2 c → s Ask arrives; 3 s → c Ask arrives; 4 c returns).",
	}, explained(t, p, model.Check{}))
}
