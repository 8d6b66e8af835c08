package why_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/why"
)

// Patient asks some, and waits for three answers.
type Patient struct {
	asks []model.NodeID
	Had  int
}

func (p *Patient) Invoke(env model.Env, call any) { env.Broadcast(p.asks, call) }

func (p *Patient) Receive(env model.Env, _ model.NodeID, _ any) {
	if p.Had++; p.Had == 3 {
		env.Return(nil)
	}
}

// Server answers the first two requests, and the first again after a while, when the third request has
// arrived.
type Server struct {
	Asked int
	First model.NodeID
}

func (s *Server) Receive(env model.Env, from model.NodeID, _ any) {
	switch s.Asked++; s.Asked {
	case 1:
		s.First = from
		env.Send(from, Granted{})
	case 2:
		env.Send(from, Granted{})
	case 3:
		env.After(term{}, model.Exactly(1))
	}
}

func (s *Server) Timeout(env model.Env, _ any) { env.Send(s.First, Granted{}) }

// A node that is not answered names the node that the server answered last among the nodes that also wait. It
// does not name the node that asked last, or whose first answer was last.
func TestFavoured(t *testing.T) {
	patient := func() model.Node { return &Patient{asks: []model.NodeID{3}} }
	p := cluster{types: []any{Ask{}, Granted{}, term{}}}.client("a", patient, Ask{}).client("b", patient, Ask{}).client("c", patient, Ask{}).
		server("s", func() model.Node { return &Server{} }).protocol("favours", allReturn)
	assert.Contains(t, explained(t, p, model.Check{}), "c waits: s got its Ask at step 6 and has not answered, but has answered a.")
}

// Pair has two numbers, set by one message.
type Pair struct{ A, B int }

func (p *Pair) Receive(model.Env, model.NodeID, any) { p.A, p.B = 1, 2 }

// If each of two fields violates an invariant, the sentence names the last.
func TestFields(t *testing.T) {
	little := model.Claim{Name: "little", Kind: model.Always, Invariant: func(all []model.Node) error {
		if p, is := all[1].(*Pair); is && (p.A > 0 || p.B > 0) {
			return errors.New("it is much")
		}
		return nil
	}}
	p := cluster{types: []any{Ask{}}}.client("c", caller(1), Ask{}).server("s", func() model.Node { return &Pair{} }).protocol("pair", little)
	assert.Equal(t, []string{
		"After step 2 (c → s: Ask arrives): it is much; s's A went from 0 to 1 and s's B went from 0 to 2, and s sent nothing.",
		"s has B 2.",
		"s came to that at step 2 (c → s: Ask arrives), sent at step 1 (c: invokes Ask).",
	}, explained(t, p, model.Check{}))
}

// Early notes as it starts.
type Early struct{ Ready bool }

func (*Early) Start(env model.Env) {
	env.Send(env.Self(), Granted{})
	env.Note("early")
}

func (e *Early) Receive(model.Env, model.NodeID, any) { e.Ready = true }

// A violation at the beginning of a run is explained at the start.
func TestAtTheStart(t *testing.T) {
	nothing := model.Claim{Name: "nothing", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &silence{} }}
	p := cluster{types: []any{Granted{}, ""}}.server("s", func() model.Node { return &Early{} }).protocol("early", nothing)
	assert.Equal(t, []string{`It breaks when s notes "early" at the start.`}, explained(t, p, model.Check{}))

	possible := model.Claim{Name: "all may return", Kind: model.PossibleFromEverywhere, Done: true}
	p = cluster{types: []any{Granted{}, "", Ask{}}}.server("s", func() model.Node { return &Early{} }).client("c", caller(0), Ask{}).protocol("early", possible)
	assert.Contains(t, explained(t, p, model.Check{}), "If it goes on from there without the environment, in one of the ways that there are, it stops 3 steps later "+
		"(1 c invokes Ask; 2 s → s Granted arrives; 3 c → s Ask arrives).")
}

// silence is a claim that nothing is noted.
type silence struct{ Noted int }

func (s *silence) Observe(w model.Watch, o model.Observation) {
	if s.Noted++; o.Kind == model.Noted {
		w.Violate("something is noted")
	}
}

// If a run continues after the step that violates an invariant, the sentence describes this step, but not the
// nodes that violated the invariant.
func TestBrokenBefore(t *testing.T) {
	little := model.Claim{Name: "little", Kind: model.Always, Invariant: func(all []model.Node) error {
		if p, is := all[1].(*Pair); is && p.A > 0 {
			return errors.New("it is much")
		}
		return nil
	}}
	p := cluster{types: []any{Ask{}}}.client("c", caller(1), Ask{}).server("s", func() model.Node { return &Pair{} }).client("d", caller(), Ask{}).protocol("pair", little)
	drawn, _ := toy.Drive(t, p, "", model.Config{}, false, []model.Claim{}, 3)
	drawn.Claim = little.Name
	run, err := replay.Until(p, drawn, nil, len(drawn.Steps))
	require.NoError(t, err)
	require.Less(t, run.World.Violations[0].Step, len(drawn.Steps))
	assert.Equal(t, []string{
		"After step 2 (c → s: Ask arrives): it is much; s's A went from 0 to 1 and s's B went from 0 to 2, and s sent nothing.",
	}, why.Explain(run).Sentences)
}

// Restless sends something from time to time, and to two others when it is asked, and answers nobody.
type Restless struct{ Asked int }

func (*Restless) Start(env model.Env) { env.After(term{}, model.Exactly(1)) }

func (*Restless) Timeout(env model.Env, _ any) { env.Send(2, Granted{}) }

func (r *Restless) Receive(env model.Env, _ model.NodeID, _ any) {
	r.Asked++
	env.Broadcast([]model.NodeID{2, 3}, Granted{})
}

// For a node that has not answered, and has done nothing since, the sentence describes its previous action,
// if that changed nothing.
func TestBefore(t *testing.T) {
	idle := does(func(model.Env, *Handler, model.NodeID, any) {})
	c := cluster{types: []any{Ask{}, Granted{}, term{}}}.client("c", caller(1), Ask{}).
		server("s", func() model.Node { return &Restless{} }).server("d", idle).server("e", idle)
	c.nodes[0].Script[0].After = model.Exactly(5)
	assert.Contains(t, explained(t, c.protocol("restless", allReturn), model.Check{Reading: model.Grid}),
		"What s did before changed nothing in its state: it had sent Granted to d at step 1 (s: alarm term fires).")
}

// For a node that waits though all have answered, the sentence names all answering nodes that are down.
func TestDownByNow(t *testing.T) {
	answers := does(func(env model.Env, _ *Handler, from model.NodeID, _ any) { env.Send(from, Granted{}) })
	c := cluster{types: []any{Ask{}, Granted{}}}.client("c", func() model.Node { return &Patient{asks: []model.NodeID{1, 2}} }, Ask{}).
		server("s", answers).server("d", answers)
	c.nodes[1].Crash, c.nodes[2].Crash = model.CrashStop, model.CrashStop
	p := c.protocol("patient", allReturn)
	for seed := range uint64(500) {
		drawn, w := toy.Drive(t, p, "", model.Config{Faults: model.Faults{Crashes: 2}}, false, nil, seed)
		if !w.Status(1).Down || !w.Status(2).Down || slices.ContainsFunc(drawn.Steps, func(s traces.Step) bool { return s.Kind == "lose" }) {
			continue
		}
		drawn.Claim = allReturn.Name
		run, err := replay.Until(p, drawn, nil, len(drawn.Steps))
		require.NoError(t, err)
		if says := strings.Join(why.Explain(run).Sentences, "\n"); strings.Contains(says, "c waits, though all") {
			assert.Contains(t, says, "it has set no alarm. Down by now: s and d.")
			return
		}
	}
	assert.Fail(t, "no such run")
}
