package ordering

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/impl/ordering/object"
	"contend/model"
)

// The client on a stage handles a call, the return of contend, and a message.
func (s *stage[N]) invoke(call any) {
	s.handle(func(n *N, env model.Env) { any(n).(model.Invoker).Invoke(env, call) })
}

func (s *stage[N]) contend() {
	s.handle(func(n *N, env model.Env) { any(n).(model.Timeouter).Timeout(env, contended{}) })
}

func (s *stage[N]) receive(u model.NodeID, m any) {
	s.handle(func(n *N, env model.Env) { any(n).(model.Receiver).Receive(env, u, m) })
}

// inPhase creates a stage with the first client, in a phase of its first passage. The servers are honest, and
// know only its operation.
func inPhase(t *testing.T, c model.Config, p Phase) *stage[Client] {
	t.Helper()
	s := onClient(t, c)
	s.invoke(x)
	quorum := s.cfg.Servers[:s.cfg.Quorums.Size]
	if p >= Getting {
		s.contend()
	}
	for u := 0; p >= Proposing && u < len(quorum); u++ {
		s.receive(quorum[u], Got{Rank: s.node.Rank, Pending: map[Label]any{{s.id, 1}: x}})
	}
	for u := 0; p >= Committing && u < len(quorum); u++ {
		s.receive(quorum[u], Done{Proposing, s.node.Rank})
	}
	require.Equal(t, p, s.node.Phase)
	return s
}

// Lines 2.2–4 and 2.8–9: an operation goes to a random quorum, and a passage begins.
func TestSubmit(t *testing.T) {
	for k, quorum := range [][]model.NodeID{{0, 1}, {0, 2}, {1, 2}} {
		s := onClient(t, honest)
		s.answers = []int{k}
		s.invoke(x)
		assert.Equal(t, []int{3}, s.asked)
		assert.Equal(t, to(Submit{Op{Label{s.id, 1}, x}}, quorum...), s.sent)
		assert.Equal(t, 1, s.armed, "it contends")
		want := Client{Seq: 1, Waiting: true, Phase: Contending, Passages: 1, Rank: 2}
		assert.Empty(t, cmp.Diff(want, *s.node, states...))
	}
}

// A submit does not affect a running ordering thread. Only the thread that waits for the result restarts.
func TestSubmitWhileTheThreadRuns(t *testing.T) {
	for p := Contending; p <= Committing; p++ {
		s := inPhase(t, lying, p)
		s.receive(0, Response{1, "ρ"})
		s.receive(1, Response{1, "ρ"})
		require.Equal(t, []any{"ρ"}, s.results)
		want := *s.node
		want.Seq, want.Waiting, want.Passages = 2, true, 0
		s.invoke(y)
		assert.Empty(t, cmp.Diff(want, *s.node, states...), "%v", p)
		assert.Zero(t, s.armed, "%v", p)
		require.Len(t, s.sent, lying.N-2, "%v", p)
		assert.Equal(t, Submit{Op{Label{s.id, 2}, y}}, s.sent[0].m)
	}
}

// Lines 2.4–7: the client returns a result of b+1 servers, once. The ordering thread continues.
func TestResult(t *testing.T) {
	type response struct {
		u model.NodeID
		Response
	}
	for _, c := range []struct {
		name string
		from []response
		want []any
	}{
		{"b servers", []response{{0, Response{1, "ρ"}}}, nil},
		{"one server twice", []response{{0, Response{1, "ρ"}}, {0, Response{1, "ρ"}}}, nil},
		{"different results", []response{{0, Response{1, "ρ"}}, {1, Response{1, "σ"}}, {2, Response{1, "τ"}}}, nil},
		{"an earlier operation's", []response{{0, Response{0, "ρ"}}, {1, Response{0, "ρ"}}}, nil},
		{"a later operation's", []response{{0, Response{2, "ρ"}}, {1, Response{2, "ρ"}}}, nil},
		{"b+1 servers", []response{{0, Response{1, "ρ"}}, {4, Response{1, "ρ"}}}, []any{"ρ"}},
		{"b+1 servers among others", []response{{0, Response{1, "ρ"}}, {1, Response{1, "σ"}}, {2, Response{1, "σ"}}}, []any{"σ"}},
		{"more than b+1", []response{{0, Response{1, "ρ"}}, {1, Response{1, "ρ"}}, {2, Response{1, "ρ"}}, {3, Response{1, "ρ"}}}, []any{"ρ"}},
		{"who changes his mind", []response{{0, Response{1, "ρ"}}, {0, Response{1, "σ"}}, {1, Response{1, "σ"}}}, nil},
		{"nil is a result", []response{{0, Response{1, nil}}, {4, Response{1, nil}}}, []any{nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := inPhase(t, lying, Contending)
			var results []any
			for _, r := range c.from {
				s.receive(r.u, r.Response)
				results = append(results, s.results...)
			}
			assert.Equal(t, c.want, results)
			assert.Equal(t, c.want == nil, s.node.Waiting)
			assert.Equal(t, Contending, s.node.Phase)
		})
	}
}

// Lines 2.8–33: a passage from the return of contend to the end of the thread. Each method is sent to all servers.
func TestPassage(t *testing.T) {
	s := inPhase(t, honest, Contending)
	s.contend()
	assert.Equal(t, to(Get{2}, 0, 1, 2), s.sent)
	assert.Empty(t, cmp.Diff([]any{Invocation{Phase: Getting, Rank: 2}}, s.notes, states...))

	mine := map[Label]any{{s.id, 1}: x}
	s.receive(2, Got{Rank: 2, Pending: mine})
	assert.Empty(t, s.sent, "one server is no quorum")
	s.receive(0, Got{Rank: 2})
	σ := State{1, object.Log{"x"}, map[Label]bool{{s.id, 1}: true}, map[Label]any{{s.id, 1}: 1}}
	assert.Equal(t, to(Propose{σ, 2}, 0, 1, 2), s.sent)
	assert.Equal(t, []any{Invocation{Proposing, 2, σ}}, s.notes)

	s.receive(1, Done{Proposing, 2})
	assert.Empty(t, s.sent)
	s.receive(2, Done{Proposing, 2})
	assert.Equal(t, to(Commit{σ, 2}, 0, 1, 2), s.sent)
	assert.Equal(t, []any{Invocation{Committing, 2, σ}}, s.notes)
	assert.Zero(t, s.node.Completed, "commit has yet to return")

	s.receive(0, Response{1, 1})
	assert.Equal(t, []any{1}, s.results)
	s.receive(1, Done{Committing, 2})
	s.receive(0, Done{Committing, 2})
	want := Client{Seq: 1, Passages: 1, Rank: 2, Completed: 1}
	assert.Empty(t, cmp.Diff(want, *s.node, states...), "the thread is over")
	assert.Zero(t, s.armed)
}

// Line 2.33: without a result, the thread contends again with a higher rank.
func TestPassageAgain(t *testing.T) {
	s := inPhase(t, honest, Committing)
	s.receive(1, Done{Committing, 2})
	s.receive(0, Done{Committing, 2})
	want := Client{Seq: 1, Waiting: true, Passages: 2, Rank: 4, Completed: 1, Phase: Contending}
	assert.Empty(t, cmp.Diff(want, *s.node, states...))
	assert.Equal(t, 1, s.armed)
}

// An invocation accepts one answer of each server, to this invocation only. Late answers to earlier passages and
// phases, and early answers, change nothing.
func TestAnswersToOtherInvocations(t *testing.T) {
	type message struct {
		u model.NodeID
		m any
	}
	for _, c := range []struct {
		name  string
		phase Phase
		after []message // that the client takes
		m     message   // that it ignores
	}{
		{"got while contending", Contending, nil, message{0, Got{Rank: 2}}},
		{"got of an earlier rank", Getting, nil, message{0, Got{Rank: 1}}},
		{"got of a later rank", Getting, nil, message{0, Got{Rank: 4}}},
		{"got after get", Proposing, nil, message{6, Got{Rank: 2}}},
		{"got twice", Getting, []message{{0, Got{Rank: 2}}}, message{0, Got{Rank: 2, Proposer: 9}}},
		{"got from one who refused", Getting, []message{{0, RankException{Getting, 2, 8}}}, message{0, Got{Rank: 2}}},
		{"get done", Getting, nil, message{0, Done{Getting, 2}}},
		{"proposed before", Getting, nil, message{0, Done{Proposing, 2}}},
		{"proposed after", Committing, nil, message{6, Done{Proposing, 2}}},
		{"proposed with an earlier rank", Proposing, nil, message{0, Done{Proposing, 1}}},
		{"proposed twice", Proposing, []message{{0, Done{Proposing, 2}}}, message{0, Done{Proposing, 2}}},
		{"proposed by one who refused", Proposing, []message{{0, RankException{Proposing, 2, 8}}}, message{0, Done{Proposing, 2}}},
		{"committed before", Proposing, nil, message{0, Done{Committing, 2}}},
		{"committed with an earlier rank", Committing, nil, message{0, Done{Committing, 1}}},
		{"refused while contending", Contending, nil, message{0, RankException{Contending, 1, 8}}},
		{"refused in an earlier phase", Proposing, nil, message{6, RankException{Getting, 2, 8}}},
		{"refused with an earlier rank", Getting, nil, message{0, RankException{Getting, 1, 8}}},
		{"refused twice", Getting, []message{{0, RankException{Getting, 2, 8}}}, message{0, RankException{Getting, 2, 20}}},
		{"refused by one who answered", Getting, []message{{0, Got{Rank: 2}}}, message{0, RankException{Getting, 2, 8}}},
		{"refused by one who has done", Proposing, []message{{0, Done{Proposing, 2}}}, message{0, RankException{Proposing, 2, 8}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := inPhase(t, lying, c.phase)
			for _, m := range c.after {
				before := *s.node
				s.receive(m.u, m.m)
				require.NotEmpty(t, cmp.Diff(before, *s.node, states...))
			}
			before := *s.node
			s.receive(c.m.u, c.m.m)
			assert.Empty(t, cmp.Diff(before, *s.node, states...))
			assert.Empty(t, s.sent)
		})
	}
}

// §6.2: b RankExceptions have no effect. After b+1, the passage ends, and the next passage has a rank above the highest
// reported rank. RankExceptions of other phases do not count.
func TestExceptions(t *testing.T) {
	for p := Getting; p <= Committing; p++ {
		s := inPhase(t, lying, p)
		s.receive(0, RankException{p, 2, 8})
		assert.Equal(t, p, s.node.Phase)
		s.receive(5, RankException{p, 2, 5})
		want := Client{Seq: 1, Waiting: true, Passages: 2, Rank: 10, Phase: Contending}
		assert.Empty(t, cmp.Diff(want, *s.node, states...), "%v", p)
		assert.Equal(t, 1, s.armed, "%v", p)
		assert.Empty(t, s.sent, "%v", p)
	}
}

func TestExceptionsOfTwoPhases(t *testing.T) {
	s := inPhase(t, lying, Getting)
	s.receive(6, RankException{Getting, 2, 8})
	for u := range model.NodeID(5) {
		s.receive(u, Got{Rank: 2})
	}
	require.Equal(t, Proposing, s.node.Phase)
	s.receive(5, RankException{Proposing, 2, 8})
	assert.Equal(t, Proposing, s.node.Phase, "one of each phase is no reason")
	s.receive(6, RankException{Proposing, 2, 8})
	assert.Equal(t, Contending, s.node.Phase)
}

// A refusal with a lower rank than the client's own does not lower it.
func TestExceptionsNeverLowerTheRank(t *testing.T) {
	s := inPhase(t, lying, Getting)
	s.receive(0, RankException{Getting, 2, 0})
	s.receive(1, RankException{Getting, 2, 1})
	assert.Equal(t, Rank(4), s.node.Rank)
}

// Lines 2.19–25.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name      string
		σᶜ, σᵖᶜ   State
		completed int
		want      State
		extend    bool
	}{
		{"2.20: committed, not known to be complete", a1, b1, 0, a1, false},
		{"2.20: before a later proposal", a1, a3, 0, a1, false},
		{"2.20: σ⁰, not known to be complete", a0, Undefined, -1, a0, false},
		{"2.22: proposed, not known to be complete", a1, a2, 1, a2, false},
		{"2.22: nothing is committed", Undefined, a1, 0, a1, false},
		{"2.25: both are complete", a1, b1, 1, a1, true},
		{"2.25: nothing proposed", a1, Undefined, 1, a1, true},
		{"2.25: a proposal of an earlier version", a2, a1, 2, a2, true},
		{"2.25: without a state", Undefined, a1, 1, Undefined, true},
		{"2.25: with nothing", Undefined, Undefined, 0, Undefined, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			σ, extend := (&Client{Completed: c.completed}).branch(c.σᶜ, c.σᵖᶜ)
			assert.Equal(t, c.want, σ)
			assert.Equal(t, c.extend, extend)
		})
	}
}

// Lines 2.17–18 raise completed, and never lower it. The decision uses the new value.
func TestCompletedIsLearnt(t *testing.T) {
	for _, c := range []struct{ knows, reported, want int }{{0, 0, 0}, {0, 3, 2}, {2, 3, 2}, {5, 3, 5}} {
		s := inPhase(t, honest, Getting)
		s.node.Completed = c.knows
		σ := State{Version: c.reported}
		s.receive(0, Got{Rank: 2, Committed: σ, Proposed: σ})
		s.receive(1, Got{Rank: 2, Committed: σ, Proposed: σ})
		assert.Equal(t, c.want, s.node.Completed)
		again := c.reported > c.want
		assert.Equal(t, again, s.node.State.Equal(σ), "σ itself is proposed when it is not known to be complete")
	}
}

// If line 2.25 has no state to which it could apply operations, the client notes this, and tries again.
func TestStateless(t *testing.T) {
	s := inPhase(t, honest, Getting)
	s.receive(0, Got{Rank: 2, Committed: Undefined, Proposed: Undefined})
	s.receive(1, Got{Rank: 2, Committed: Undefined, Proposed: Undefined})
	assert.Equal(t, []any{Stateless{}}, s.notes)
	assert.Equal(t, Contending, s.node.Phase)
	assert.Equal(t, Rank(4), s.node.Rank)
}

// If several states are possible, each may be chosen.
func TestAnyOfSeveralStates(t *testing.T) {
	for k, want := range []State{a1, b1} {
		s := inPhase(t, honest, Getting)
		s.receive(0, Got{Rank: 2, Committed: Undefined, Proposed: a1, Proposer: 1})
		s.answers = []int{k}
		s.receive(1, Got{Rank: 2, Committed: Undefined, Proposed: b1, Proposer: 1})
		assert.Equal(t, []int{2}, s.asked)
		assert.True(t, want.Equal(s.node.State))
	}
}

// Lines 2.44–51: operations are applied in a random order, and each order is possible. Operations that the state
// reflects are left out. The version increases by one, and has responses to exactly the applied operations.
func TestApply(t *testing.T) {
	op3 := Label{q, 2}
	pending := []Op{{op1, x}, {op2, y}, {op3, object.Append{Entry: "z"}}}
	s := onClient(t, honest)
	logs := map[string]bool{}
	for k := range 6 {
		s.answers = []int{k / 2, k % 2}
		s.handle(func(c *Client, env model.Env) {
			σ := c.apply(env, slices.Clone(pending), older)
			logs[σ.Value.(object.Log)[1]+σ.Value.(object.Log)[2]] = true
			assert.Equal(t, 2, σ.Version)
			assert.Equal(t, "x", σ.Value.(object.Log)[0])
			assert.Len(t, σ.Value, 3, "x is not appended again")
			assert.Equal(t, map[Label]bool{op1: true, op2: true, op3: true}, σ.Performed)
			places := map[any]any{"y": σ.Responses[op2], "z": σ.Responses[op3]}
			assert.Equal(t, map[any]any{σ.Value.(object.Log)[1]: 2, σ.Value.(object.Log)[2]: 3}, places)
			assert.Len(t, σ.Responses, 2, "the response of the version before is gone")
		})
		assert.Equal(t, []int{3, 2}, s.asked)
	}
	assert.Equal(t, map[string]bool{"yz": true, "zy": true}, logs)
	assert.Equal(t, State{1, object.Log{"x"}, map[Label]bool{op1: true}, map[Label]any{op1: 1}}, older, "σ is a value")
}

// Without pending or new operations, apply makes a version, too.
func TestApplyNothing(t *testing.T) {
	s := onClient(t, honest)
	for _, pending := range [][]Op{nil, {{op1, x}}} {
		s.handle(func(c *Client, env model.Env) {
			assert.True(t, State{Version: 2, Value: object.Log{"x"}, Performed: older.Performed}.Equal(c.apply(env, pending, older)))
		})
		assert.Empty(t, s.asked)
	}
}

// If an operation has several effects, one is drawn, and each is possible.
func TestApplyDrawsTheEffect(t *testing.T) {
	dealt := map[any]bool{}
	for k := range object.Cards {
		s := onClient(t, honest)
		s.answers = []int{k}
		s.handle(func(c *Client, env model.Env) {
			dealt[c.apply(env, []Op{{op1, object.Deal{}}}, State{}).Responses[op1]] = true
		})
		assert.Equal(t, []int{object.Cards}, s.asked)
	}
	assert.ElementsMatch(t, []any{1, 2, 3}, slices.Collect(maps.Keys(dealt)))
}
