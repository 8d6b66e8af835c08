package swim

import "contend/model"

// Rules are the rules of members.
type Rules interface {
	// Overrides reports whether news of a member replaces the entry of the list (§4.2).
	Overrides(news, known Entry) bool
	// Refutes returns the incarnation of a member after news of itself (§4.2).
	Refutes(news Entry, own int) int
	// Unanswered handles a target that has not answered in a period (§3.1, §4.2).
	Unanswered(m *Member, env model.Env, target model.NodeID)
	// Round returns the targets of the next round through the list (§4.3).
	Round(m *Member, env model.Env) []model.NodeID
}

// Spec are the rules of the paper.
type Spec struct{}

// Overrides compares incarnations. A confirmation overrides any other news.
func (Spec) Overrides(news, known Entry) bool {
	switch {
	case known.State == Failed:
		return false
	case news.State == Failed:
		return true
	case news.State == Suspected && known.State == Alive:
		return news.Incarnation >= known.Incarnation
	}
	return news.Incarnation > known.Incarnation
}

// Refutes increments the incarnation after a suspicion of the current incarnation.
func (Spec) Refutes(news Entry, own int) int {
	if news.State == Suspected && news.Incarnation == own {
		return own + 1
	}
	return own
}

// Unanswered suspects the target.
func (Spec) Unanswered(m *Member, env model.Env, target model.NodeID) { m.suspect(env, target) }

// Round returns all other members.
func (Spec) Round(m *Member, env model.Env) []model.NodeID {
	return m.alive(func(id model.NodeID) bool { return id != env.Self() })
}
