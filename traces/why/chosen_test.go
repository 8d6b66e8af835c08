package why_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
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

// Server answers the first two that ask it, and the first once more after a while, when the third has asked.
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

// Of those who wait as well, one who is not answered is told whom the server answered last: not whoever asked last, or was
// answered last for the first time.
func TestFavoured(t *testing.T) {
	patient := func() model.Node { return &Patient{asks: []model.NodeID{3}} }
	p := cluster{types: []any{Ask{}, Granted{}, term{}}}.client("a", patient, Ask{}).client("b", patient, Ask{}).client("c", patient, Ask{}).
		server("s", func() model.Node { return &Server{} }).protocol("favours", allReturn)
	assert.Contains(t, explained(t, p, model.Check{}), "c waits: s got its Ask at step 6 and has not answered, but has answered a.")
}

// Pair has two numbers, set by one message.
type Pair struct{ A, B int }

func (p *Pair) Receive(model.Env, model.NodeID, any) { p.A, p.B = 1, 2 }

// Where either of two fields breaks an invariant, the last of them is told.
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

// What breaks a claim as a run begins is told at the start.
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
