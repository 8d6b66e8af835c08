package ordering

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"

	"contend/impl/ordering/object"
	"contend/model"
)

// Two clients, an operation of each, and the state after both.
const p, q model.NodeID = 3, 4

var (
	op1, op2 = Label{p, 1}, Label{q, 1}
	x, y     = object.Append{Entry: "x"}, object.Append{Entry: "y"}
	both     = State{
		Version: 2, Value: object.Log{"x", "y"},
		Performed: map[Label]bool{op1: true, op2: true}, Responses: map[Label]any{op2: 2},
	}
	older = State{Version: 1, Value: object.Log{"x"}, Performed: map[Label]bool{op1: true}, Responses: map[Label]any{op1: 1}}
)

// serving returns a server with a proposal of rank 4 that has received rank 6.
func serving() Server {
	return Server{
		MaxRank: 6, Proposer: 4, Proposed: both, Committed: older,
		Pending: map[Label]any{op2: y}, Asleep: map[Label]bool{op2: true}, Responses: map[Label]any{op1: 1},
	}
}

// Lines 3.5–27: a server with ranks below, at and above maxRank.
func TestServerMethods(t *testing.T) {
	σ := State{Version: 3, Value: object.Log{"x", "y", "z"}, Performed: both.Performed}
	for _, c := range []struct {
		name   string
		m      any
		answer any
		done   func(s *Server) // to the state of serving; nil: it throws
	}{
		{"get below", Get{5}, RankException{Getting, 5, 6}, nil},
		{"get at", Get{6}, RankException{Getting, 6, 6}, nil},
		{
			"get above", Get{7}, Got{7, older, both, 4, map[Label]any{op2: y}},
			func(s *Server) { s.MaxRank = 7 },
		},
		{"propose below", Propose{σ, 5}, RankException{Proposing, 5, 6}, nil},
		{
			"propose at", Propose{σ, 6}, Done{Proposing, 6},
			func(s *Server) { s.Proposer, s.Proposed = 6, σ },
		},
		{
			"propose above", Propose{σ, 7}, Done{Proposing, 7},
			func(s *Server) { s.MaxRank, s.Proposer, s.Proposed = 7, 7, σ },
		},
		{"commit below", Commit{σ, 5}, RankException{Committing, 5, 6}, nil},
		{
			"commit at", Commit{σ, 6}, Done{Committing, 6},
			func(s *Server) { s.Committed, s.Pending = σ, nil },
		},
		{
			"commit above", Commit{σ, 7}, Done{Committing, 7},
			func(s *Server) { s.MaxRank, s.Committed, s.Pending = 7, σ, nil },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := onServer(t, serving())
			s.handle(func(n *Server, env model.Env) { n.Receive(env, p, c.m) })
			want := serving()
			if c.done != nil {
				c.done(&want)
			}
			assert.Empty(t, cmp.Diff(want, *s.node, states...), "− wanted, + is")
			assert.Empty(t, cmp.Diff(to(c.answer, p), s.sent, parcels...), "− wanted, + sent")
			assert.Len(t, s.notes, map[bool]int{true: 1}[c.done != nil], "it is complete unless it throws")
		})
	}
}

var parcels = append([]cmp.Option{cmp.AllowUnexported(parcel{})}, states...)

// Lines 3.1–4: an operation is pending, and its submit sleeps until there is a response. If there is a response
// already, the submit returns at once. Line 3.2 adds the operation to pending in both cases.
func TestSubmitToServer(t *testing.T) {
	third := Label{q, 2}
	s := onServer(t, serving())
	s.handle(func(n *Server, env model.Env) { n.Receive(env, q, Submit{Op{third, x}}) })
	assert.Empty(t, s.sent)
	assert.Equal(t, map[Label]any{op2: y, third: x}, s.node.Pending)
	assert.Equal(t, map[Label]bool{op2: true, third: true}, s.node.Asleep)

	s = onServer(t, serving())
	s.handle(func(n *Server, env model.Env) { n.Receive(env, p, Submit{Op{op1, x}}) })
	assert.Equal(t, to(Response{1, 1}, p), s.sent)
	assert.Equal(t, map[Label]any{op1: x, op2: y}, s.node.Pending)
	assert.Equal(t, map[Label]bool{op2: true}, s.node.Asleep)
}

// Lines 3.23–24: commit removes the operations that the state reflects from pending. It adds its responses to the
// stored responses, and wakes the submits that wait for them, once.
func TestCommitWakes(t *testing.T) {
	third := Label{q, 2}
	at := serving()
	at.Pending[op1], at.Pending[third], at.Asleep[third] = x, x, true
	s := onServer(t, at)
	s.handle(func(n *Server, env model.Env) { n.Receive(env, p, Commit{both, 7}) })
	assert.Equal(t, []parcel{{q, Response{1, 2}}, {p, Done{Committing, 7}}}, s.sent, "the response first")
	assert.Equal(t, map[Label]any{third: x}, s.node.Pending, "op1 is reflected, though σ has no response to it")
	assert.Equal(t, map[Label]any{op1: 1, op2: 2}, s.node.Responses)
	assert.Equal(t, map[Label]bool{third: true}, s.node.Asleep)

	s.handle(func(n *Server, env model.Env) { n.Receive(env, p, Commit{both, 8}) })
	assert.Equal(t, to(Done{Committing, 8}, p), s.sent, "nobody sleeps any more")
}

// A response of a later state replaces an earlier response: (f|g)(o) is g(o) where g(o) is defined.
func TestResponsesOfTheLaterState(t *testing.T) {
	again := both
	again.Responses = map[Label]any{op1: 9}
	s := onServer(t, serving())
	s.handle(func(n *Server, env model.Env) { n.Receive(env, p, Commit{again, 7}) })
	assert.Equal(t, map[Label]any{op1: 9}, s.node.Responses)
}
