package ordering

import (
	"cmp"
	"slices"

	"contend/model"
)

// causal are the claims of §7 about the causal order of client invocations. They are checked on every prefix of a run,
// because more invocations complete as the history grows.
var causal = []model.Claim{
	causalClaim("Lemma 3", "lemma-3", lemma3),
	causalClaim("Corollary 3", "corollary-3", corollary3),
	causalClaim("Lemma 4 (1)", "lemma-4", lemma4(closest, versions)),
	causalClaim("Lemma 4 (2)", "lemma-4", lemma4(closest, sameVersion)),
	causalClaim("Lemma 4 (3)", "lemma-4", lemma4(closest, nextVersion)),
	causalClaim("Lemma 4 (1), by rank", "lemma-4", lemma4(closestByRank, versions)),
	causalClaim("Lemma 4 (2), by rank", "lemma-4", lemma4(closestByRank, sameVersion)),
	causalClaim("Lemma 4 (3), by rank", "lemma-4", lemma4(closestByRank, nextVersion)),
}

func causalClaim(name, anchor string, judge func(*history, model.Watch)) model.Claim {
	return model.Claim{
		Name: name, Kind: model.Always, Source: source, Proof: proofs + anchor,
		Assumes: remembering,
		Monitor: func(s *model.System) model.Monitor { return &history{cfg: setup(s), judge: judge} },
		Causal:  isInvocation,
		Apart:   untimed,
	}
}

// isInvocation selects the events that the lemmas order.
func isInvocation(o model.Observation) bool {
	_, ok := o.Value.(Invocation)
	return o.Kind == model.Noted && ok
}

// untimed returns the untimed search with causal pasts. No reduction applies to it.
func untimed(c model.Check) model.Check {
	c.Reading = model.Untimed
	return c
}

// A history is H, restricted to the parts that the lemmas use. Observe calls judge after each event. It may report a
// violation.
type history struct {
	cfg   *Config
	judge func(*history, model.Watch)

	Events    []Event // client invocations, in the order observed
	Submitted map[Label]any
}

// An Event is a client invocation p.μ.
type Event struct {
	Client model.NodeID
	What   Invocation
	At     int32   // its index among the client's invocations
	Past   []int32 // by node: the number of invocations in its causal cone
	// Complete are the correct servers at which the invocation is complete.
	Complete map[model.NodeID]bool
}

// Observe adds an event to the history, and checks the lemma.
func (h *history) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		h.Submitted[Label{o.Node, o.Op + 1}] = o.Value
		return
	case model.Noted:
		switch n := o.Value.(type) {
		case Invocation:
			h.Events = append(h.Events, Event{o.Node, n, o.Past[o.Node], slices.Clone(o.Past), map[model.NodeID]bool{}})
		case Completion:
			if !h.completed(o.Node, n) {
				return
			}
		default:
			return
		}
	default:
		return
	}
	h.judge(h, w)
}

// completed marks a server invocation as complete. It reports whether the client invocation becomes complete.
func (h *history) completed(u model.NodeID, n Completion) bool {
	for i := len(h.Events) - 1; i >= 0; i-- {
		if e := &h.Events[i]; e.What.Phase == n.Phase && e.What.Rank == n.Rank {
			was := h.complete(e)
			e.Complete[u] = true
			return !was && h.complete(e)
		}
	}
	return false
}

// proposes returns the client invocations of propose. The first is the propose of σ⁰ with rank 0, with which "each
// history begins".
func (h *history) proposes() []*Event { return h.invocations(Proposing) }

func (h *history) invocations(p Phase) []*Event {
	events := []*Event{{Client: -1, What: Invocation{Phase: p}}}
	for i := range h.Events {
		if h.Events[i].What.Phase == p {
			events = append(events, &h.Events[i])
		}
	}
	return events
}

// complete reports whether "there exists a quorum Q such that for each correct server u ∈ Q, u.μ is complete". Liars
// may belong to Q.
func (h *history) complete(e *Event) bool {
	return e.Client < 0 || h.cfg.Quorums.Contained(len(e.Complete)+h.cfg.Byzantine)
}

// before reports e → f.
func (e *Event) before(f *Event) bool {
	switch {
	case e.Client < 0 || f.Client < 0:
		return f.Client >= 0
	case e == f:
		return false
	}
	return f.Past[e.Client] >= e.At
}

// lemma3: "Let p.propose(σ₁, r₁) be complete in H and q.propose(σ₂, r₂) ∈ H. If
// r₁ < r₂, then p.propose(σ₁, r₁) → q.propose(σ₂, r₂). Otherwise, q.get(r₂) →
// p.propose(σ₁, r₁)."
func lemma3(h *history, w model.Watch) {
	gets := h.invocations(Getting)
	for _, p := range h.proposes() {
		if !h.complete(p) || p.Client < 0 {
			continue
		}
		for _, q := range h.proposes()[1:] {
			if p.Client != q.Client {
				w.Witness()
			}
			if p.What.Rank < q.What.Rank {
				if !p.before(q) {
					w.Violate("propose with rank %d is complete, but not in the causal cone of propose with rank %d", p.What.Rank, q.What.Rank)
				}
				continue
			}
			get := slices.IndexFunc(gets, func(g *Event) bool { return g.Client == q.Client && g.What.Rank == q.What.Rank })
			if get < 0 || !gets[get].before(p) {
				w.Violate("get with rank %d is not in the causal cone of propose with rank %d, which is complete", q.What.Rank, p.What.Rank)
			}
		}
	}
}

// corollary3: complete proposes "are ordered by the → relation".
func corollary3(h *history, w model.Watch) {
	proposes := slices.DeleteFunc(h.proposes(), func(e *Event) bool { return !h.complete(e) })
	for i, p := range proposes {
		for _, q := range proposes[i+1:] {
			if p.Client >= 0 && p.Client != q.Client {
				w.Witness()
			}
			if !p.before(q) && !q.before(p) {
				w.Violate("proposes with ranks %d and %d are complete, but not ordered", p.What.Rank, q.What.Rank)
			}
		}
	}
}

// closest returns the closest complete proposes of a propose: "(i) p′.propose(σ′, r′) is complete; (ii) p′.propose(σ′,
// r′) → p.propose(σ, r); and (iii) there does not exist a complete" propose between them. By Corollary 3 there is one.
func closest(h *history, q *Event) []*Event {
	cone := slices.DeleteFunc(h.proposes(), func(e *Event) bool { return !h.complete(e) || !e.before(q) })
	return slices.DeleteFunc(slices.Clone(cone), func(e *Event) bool {
		return slices.ContainsFunc(cone, func(f *Event) bool { return e.before(f) })
	})
}

// closestByRank corrects the definition so that Lemma 4 holds: it replaces (ii) by r′ < r. A return of submit can put a
// complete propose of a higher rank into the cone of a passage in progress.
func closestByRank(h *history, q *Event) []*Event {
	lower := slices.DeleteFunc(h.proposes(), func(e *Event) bool { return !h.complete(e) || e.What.Rank >= q.What.Rank })
	highest := slices.MaxFunc(lower, func(a, b *Event) int { return cmp.Compare(a.What.Rank, b.What.Rank) })
	return []*Event{highest}
}

// lemma4 returns a check of a part of Lemma 4. It calls part for each propose and its closest complete propose.
func lemma4(closest func(*history, *Event) []*Event, part func(w model.Watch, h *history, p, q *Event)) func(*history, model.Watch) {
	return func(h *history, w model.Watch) {
		for _, q := range h.proposes()[1:] {
			found := closest(h, q)
			if len(found) != 1 {
				w.Violate("propose with rank %d has %d closest complete proposes", q.What.Rank, len(found))
				continue
			}
			part(w, h, found[0], q)
		}
	}
}

// versions: "(1) σ₂.version = σ₁.version or σ₂.version = σ₁.version + 1".
func versions(w model.Watch, _ *history, p, q *Event) {
	w.Witness()
	if v := q.What.State.Version - p.What.State.Version; v != 0 && v != 1 {
		w.Violate("version %d is proposed with rank %d, but the closest complete propose has version %d",
			q.What.State.Version, q.What.Rank, p.What.State.Version)
	}
}

// sameVersion: "(2) if σ₂.version = σ₁.version, then σ₁ = σ₂".
func sameVersion(w model.Watch, _ *history, p, q *Event) {
	if p.What.State.Version != q.What.State.Version {
		return
	}
	w.Witness()
	if !p.What.State.Equal(q.What.State) {
		w.Violate("two states of version %d are proposed, with ranks %d, which is complete, and %d",
			q.What.State.Version, p.What.Rank, q.What.Rank)
	}
}

// nextVersion: "(3) if σ₂.version = σ₁.version + 1, then there exists a complete
// p′.commit(σ₁, r′) in ccone(q.propose(σ₂, r₂)), and σ₂ is the result of applying
// operations in {o : σ₂.reflects(o) ∧ ¬σ₁.reflects(o)} to σ₁ in some sequential order."
func nextVersion(w model.Watch, h *history, p, q *Event) {
	σ1, σ2 := p.What.State, q.What.State
	if σ2.Version != σ1.Version+1 {
		return
	}
	w.Witness()
	if !slices.ContainsFunc(h.invocations(Committing), func(c *Event) bool {
		return h.complete(c) && c.What.State.Equal(σ1) && c.before(q)
	}) {
		w.Violate("version %d is proposed with rank %d, but no complete commit of version %d is in its causal cone",
			σ2.Version, q.What.Rank, σ1.Version)
	}
	if err := extends(σ2, σ1, h.Submitted, h.cfg.reflects()); err != nil {
		w.Violate("the state of version %d that is proposed with rank %d %v", σ2.Version, q.What.Rank, err)
	}
}
