package swim

import "contend/model"

// Rules are what members go by.
type Rules interface {
	// Overrides reports whether news of a member is preferred to what is known of it (§4.2).
	Overrides(news, known Entry) bool
	// Refutes is the incarnation of a member that hears something of itself (§4.2).
	Refutes(news Entry, own int) int
	// Unanswered is what a member does when a target has not answered in a period (§3.1, §4.2).
	Unanswered(m *Member, env model.Env, target model.NodeID)
	// Round lists whom a member pings on its next round through its list (§4.3).
	Round(m *Member, env model.Env) []model.NodeID
}

// Spec are the rules of the paper.
type Spec struct{}

// Overrides is by incarnation, and a confirmation overrides everything.
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

// Refutes increments the number when it is suspected in its present incarnation.
func (Spec) Refutes(news Entry, own int) int {
	if news.State == Suspected && news.Incarnation == own {
		return own + 1
	}
	return own
}

// Unanswered suspects.
func (Spec) Unanswered(m *Member, env model.Env, target model.NodeID) { m.suspect(env, target) }

// Round is everyone, once.
func (Spec) Round(m *Member, env model.Env) []model.NodeID {
	return m.alive(func(id model.NodeID) bool { return id != env.Self() })
}
