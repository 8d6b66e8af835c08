package ordering

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"contend/model"
	"contend/model/quorum"
)

// A Client submits operations and orders them. (Figure 2) The paper's two threads are two halves of its state. The
// first half waits for a result, and the second half is the ordering thread.
type Client struct {
	cfg *Config

	Seq     int                  // of the latest operation
	Waiting bool                 // waiting
	Results map[model.NodeID]any // ρ_u, while waiting

	Phase     Phase
	Passages  int  // of line 2.8 since the latest submit began
	Rank      Rank // r
	Completed int  // completed; σ⁰ is complete to begin with (§7)
	State     State
	Answers   map[model.NodeID]Got  // Q₂ and the answers to get
	Acks      map[model.NodeID]bool // Q₂ of propose and of commit
	Refusals  map[model.NodeID]Rank // by server: the rank in its RankException of this phase
}

// Invoke implements submit(o): it starts both threads. An ordering thread that still runs continues, and finds waiting
// = true at line 2.33.
func (c *Client) Invoke(env model.Env, call any) {
	c.Seq++
	o := Op{Label{env.Self(), c.Seq}, call}
	c.Waiting, c.Results = true, nil       // "waiting ← true", "V₁ ← ∅"
	env.Broadcast(c.reach(env), Submit{o}) // "Q₁ ←R 𝒬; ‖u∈Q₁ [ ρ_u ← u.submit(o)"
	if c.Passages = 0; c.Phase == 0 {
		c.pass(env)
	}
}

// reach returns the servers to which an operation is submitted: Q₁, a random quorum.
func (c *Client) reach(env model.Env) []model.NodeID {
	n := c.cfg.Submit.Quorums()
	if n == 1 {
		return c.cfg.Servers
	}
	members := c.cfg.Submit.Quorum(env.Draw(n)) // "Q₁ ←R 𝒬"
	ids := make([]model.NodeID, len(members))
	for i, m := range members {
		ids[i] = c.cfg.Servers[m]
	}
	return ids
}

// pass begins a passage of the ordering thread at line 2.8. Its rank is higher than all ranks that the client has used
// or received.
func (c *Client) pass(env model.Env) {
	c.Passages++
	told := highest(slices.Sorted(maps.Values(c.Refusals)))
	c.Rank = c.cfg.above(max(c.Rank, told), env.Self())
	c.enter(Contending)
	env.After(contended{}, model.Anytime()) // "contend()": asynchronous, it may return whenever it likes
}

// enter begins a phase without answers.
func (c *Client) enter(p Phase) {
	c.Phase, c.Answers, c.Acks, c.Refusals = p, nil, nil, nil
}

// Timeout continues after the return of contend.
func (c *Client) Timeout(env model.Env, _ any) { c.get(env) }

func (c *Client) get(env model.Env) {
	c.enter(Getting)
	env.Note(Invocation{Phase: Getting, Rank: c.Rank})
	env.Broadcast(c.cfg.Servers, Get{c.Rank}) // "‖u∈U [ ⟨σᶜ_u, σᵖᶜ_u, proposer_u, pending_u⟩ ← u.get(r)"
}

// Receive handles a server's return or exception.
func (c *Client) Receive(env model.Env, u model.NodeID, m any) {
	switch m := m.(type) {
	case Response:
		c.result(env, u, m)
	case Got:
		if c.awaits(u, Getting, m.Rank) {
			c.Answers[u] = m
			c.got(env)
		}
	case Done:
		if c.awaits(u, m.Phase, m.Rank) && m.Phase != Getting {
			c.Acks[u] = true
			c.done(env)
		}
	case RankException:
		if c.awaits(u, m.Phase, m.Rank) {
			c.Refusals[u] = m.Highest
			c.refused(env)
		}
	}
}

// awaits reports whether the thread is in the phase and passage of an answer, and has no answer of the server yet. An
// invocation returns once.
func (c *Client) awaits(u model.NodeID, p Phase, r Rank) bool {
	_, answered := c.Answers[u]
	_, refused := c.Refusals[u]
	return c.Phase == p && c.Rank == r && !answered && !refused && !c.Acks[u]
}

// result implements the first thread.
func (c *Client) result(env model.Env, u model.NodeID, m Response) {
	if _, returned := c.Results[u]; returned || !c.Waiting || m.Seq != c.Seq {
		return
	}
	c.Results[u] = m.Value // "V₁ ← {ρ_u} ∪ V₁"
	same := 0
	for _, ρ := range c.Results {
		if ρ == m.Value {
			same++
		}
	}
	if same >= c.cfg.Least.Result { // "until (∃ρ : |{ρ_u ∈ V₁ : ρ = ρ_u}| ≥ b+1)"
		c.Waiting, c.Results = false, nil // "waiting ← false"
		env.Return(m.Value)               // "return ρ"
	}
}

// got continues after get has returned from a quorum: "until (∃Q ∈ 𝒬 : Q ⊆ Q₂)".
func (c *Client) got(env model.Env) {
	if !c.enough(env, c.cfg.Get, len(c.Answers)) {
		return
	}
	σ, ok := c.decide(env)
	if !ok {
		c.pass(env)
		return
	}
	c.State = σ
	c.advance(env)
}

// enough reports whether a quorum has answered, so that the phase ends.
func (c *Client) enough(env model.Env, q quorum.Threshold, heard int) bool { return q.Contained(heard) }

// advance begins the next phase.
func (c *Client) advance(env model.Env) {
	switch c.enter(c.Phase + 1); c.Phase {
	case Proposing:
		env.Note(Invocation{Proposing, c.Rank, c.State})
		env.Broadcast(c.cfg.Servers, Propose{c.State, c.Rank}) // "‖u∈U [ u.propose(σ, r)"
	case Committing:
		env.Note(Invocation{Committing, c.Rank, c.State})
		env.Broadcast(c.cfg.Servers, Commit{c.State, c.Rank}) // "‖u∈U [ u.commit(σ, r)"
	}
}

// done continues after propose or commit has returned from a quorum.
func (c *Client) done(env model.Env) {
	switch {
	case c.Phase == Proposing && c.enough(env, c.cfg.Propose, len(c.Acks)):
		c.advance(env)
	case c.Phase == Committing && c.enough(env, c.cfg.Commit, len(c.Acks)):
		c.Completed = max(c.Completed, c.State.Version) // "completed ← max{completed, σ.version}"
		c.State = State{}
		if c.enter(0); c.Waiting { // "until (waiting = false)"
			c.pass(env)
		}
	}
}

// refused aborts the passage after b+1 RankExceptions, to "adjust its rank, and try again (starting at line 2.8)"
// (§6.2).
func (c *Client) refused(env model.Env) {
	if len(c.Refusals) >= c.cfg.Least.Refusals {
		c.abort(env)
	}
}

func (c *Client) abort(env model.Env) {
	c.State = State{}
	c.pass(env)
}

// decide implements lines 2.14–25 and returns the state to propose. It returns no state if line 2.25 has no state to
// which it could apply operations.
func (c *Client) decide(env model.Env) (σ State, ok bool) {
	σᶜ := oneOf(env, c.cfg.mayBeCommitted(c.Answers))
	σᵖᶜ := oneOf(env, c.mayBeChosen(c.Answers))
	c.Completed = max(c.Completed, c.completed(c.Answers)) // line 2.17
	σ, extend := c.branch(σᶜ, σᵖᶜ)
	if !extend {
		return σ, true
	}
	if !σ.Defined() {
		env.Note(Stateless{})
		return σ, false
	}
	return c.apply(env, c.cfg.pending(c.Answers), σ), true // "σ ← apply(pending, σᶜ)"
}

// oneOf returns one of several states, or ⊥ if there are none.
func oneOf(env model.Env, states []State) State {
	switch len(states) {
	case 0:
		return Undefined
	case 1:
		return states[0]
	}
	return states[env.Choose(len(states))]
}

// branch implements the choice between lines 2.20, 2.22 and, if extend is true, 2.23–25.
func (c *Client) branch(σᶜ, σᵖᶜ State) (σ State, extend bool) {
	switch {
	case σᶜ.Defined() && σᶜ.Version > c.Completed: // "if (σᶜ ≠ ⊥ ∧ σᶜ.version > completed)"
		return σᶜ, false
	case σᵖᶜ.Defined() && σᵖᶜ.Version > c.Completed: // "else if (σᵖᶜ ≠ ⊥ ∧ σᵖᶜ.version > completed)"
		return σᵖᶜ, false
	}
	return σᶜ, true
}

// apply implements lines 2.44–51. Without pending operations it makes a version, too.
func (c *Client) apply(env model.Env, pending []Op, σ State) State {
	next := σ.successor()
	for len(pending) > 0 { // "until (pending = ∅)"
		i := 0
		if len(pending) > 1 {
			i = env.Draw(len(pending)) // "o ←R pending"
		}
		o := pending[i]
		pending = append(pending[:i:i], pending[i+1:]...) // "pending ← pending \ {o}"
		if !next.Reflects(o.Label) {                      // "if (σ′.reflects(o) = false)"
			next.doOp(o, env.Draw) // "σ′.doOp(o)"
		}
	}
	next.Version++ // "σ′.version ← σ′.version + 1"
	return next
}

// client returns the client of any variant, for the cut on attempts and the adversary.
func (c *Client) client() *Client { return c }

// The functions of the possible answers: lines 2.14–18 and 2.24. If the paper allows several states, they
// return all of them.

// A votes list counts equal states.
type votes []vote

type vote struct {
	state State
	count int
}

func (v *votes) add(s State) {
	for i := range *v {
		if (*v)[i].state.Equal(s) {
			(*v)[i].count++
			return
		}
	}
	*v = append(*v, vote{s, 1})
}

// agreed returns the states that at least a number of servers report.
func (v votes) agreed(least int) []State {
	var out []State
	for _, is := range v {
		if is.count >= least {
			out = append(out, is.state)
		}
	}
	return out
}

// servers returns the servers that answered, in order.
func servers(answers map[model.NodeID]Got) []model.NodeID {
	return slices.Sorted(maps.Keys(answers))
}

// mayBeCommitted returns σᶜ: "Σᶜ ← {σ′ : |{u : σ′ = σᶜ_u}| ≥ b+1}; σᶜ ← σ : σ.version = max_{σ′∈Σᶜ}{σ′.version}". It
// returns none if Σᶜ is empty.
func (c *Config) mayBeCommitted(answers map[model.NodeID]Got) []State {
	var v votes
	for _, u := range servers(answers) {
		if s := answers[u].Committed; s.Defined() {
			v.add(s)
		}
	}
	Σᶜ := v.agreed(c.Least.Committed)
	if len(Σᶜ) == 0 {
		return nil
	}
	latest := slices.MaxFunc(Σᶜ, func(a, b State) int { return cmp.Compare(a.Version, b.Version) }).Version
	return slices.DeleteFunc(Σᶜ, func(s State) bool { return s.Version != latest })
}

// mayBeChosen implements choose, lines 2.33–48: it returns the first proposed state that b+1 servers report, in
// descending order of version and proposer.
func (c *Client) mayBeChosen(answers map[model.NodeID]Got) []State {
	var S []Got
	for _, u := range servers(answers) {
		if answers[u].Proposed.Defined() { // "σᵖᶜ_u ≠ ⊥"
			S = append(S, answers[u])
		}
	}
	slices.SortStableFunc(S, func(a, b Got) int { return byProposer(b, a) })
	var count votes
	for i, s := range S {
		count.add(s.Proposed)
		if i+1 < len(S) && byProposer(s, S[i+1]) == 0 {
			continue // equals may stand in any order
		}
		if found := count.agreed(c.cfg.Least.Proposed); len(found) > 0 { // "until (∃σ : count[σ] ≥ b+1"
			return found
		}
	}
	return nil // "return ⊥"
}

// byProposer compares by the order of lines 2.36–39.
func byProposer(a, b Got) int {
	return cmp.Or(cmp.Compare(a.Proposed.Version, b.Proposed.Version), cmp.Compare(a.Proposer, b.Proposer))
}

// completed implements line 2.18: "max{v : |{u : σᵖᶜ_u.version > v}| ≥ b+1}". Without such a v it returns a value below
// any version.
func (c *Client) completed(answers map[model.NodeID]Got) int {
	var versions []int
	for _, a := range answers {
		if a.Proposed.Defined() {
			versions = append(versions, a.Proposed.Version)
		}
	}
	if len(versions) < c.cfg.Least.Completed {
		return -1
	}
	slices.SortFunc(versions, func(a, b int) int { return cmp.Compare(b, a) })
	return versions[c.cfg.Least.Completed-1] - 1
}

// pending implements line 2.24: "{o : |{u : o ∈ pending_u}| ≥ b+1}", by label.
func (c *Config) pending(answers map[model.NodeID]Got) []Op {
	count := map[Op]int{}
	for _, a := range answers {
		for label, call := range a.Pending {
			count[Op{label, call}]++
		}
	}
	maps.DeleteFunc(count, func(_ Op, n int) bool { return n < c.Least.Pending })
	return slices.SortedFunc(maps.Keys(count), func(a, b Op) int {
		return cmp.Or(byLabel(a.Label, b.Label), cmp.Compare(fmt.Sprint(a.Call), fmt.Sprint(b.Call)))
	})
}
