package swim

import (
	"contend/model"
	"contend/model/variant"
)

// options are different readings, and harmless edits that look like bugs.
var options = []model.Variant{
	{
		Name: "unsuspecting", Title: "§3 without §4.2: a member that does not answer is declared as failed at once",
		Edit: follow(unsuspecting{}), Unclaimed: []string{confirmed, refuted}, Show: timed(2, 0, model.Faults{Crashes: 1}),
	},
	{
		Name: "fixed-order", Title: "a member pings the others in the same order on each round",
		Edit: variant.Nodes(func(m Member) model.Node { return &orderlyMember{m} }), Show: timed(3, 0, model.Faults{Crashes: 1}, completeness),
	},
	{
		Name: "old-confirmations", Title: "reading: a confirmation of an earlier incarnation overrides nothing",
		Edit: follow(wary{}), Show: timed(2, 0, model.Faults{Crashes: 1}),
	},
	{
		Name: "refutes-all", Title: "a member refutes suspicions of earlier incarnations, too",
		Edit: follow(refutesAll{}), Show: lossy,
	},
}

// lossy is a check in which a suspicion may be false. It tests only the claims that allow this.
var lossy = timed(2, 0, model.Faults{Loss: 1}, news...)

type unsuspecting struct{ Spec }

// Unanswered declares the target as failed.
func (unsuspecting) Unanswered(m *Member, env model.Env, target model.NodeID) { m.confirm(env, target) }

type orderlyMember struct{ Member }

// Timeout pings the members of the list in order.
func (m *orderlyMember) Timeout(env model.Env, alarm any) { m.Member.Timeout(orderly{env}, alarm) }

// orderly is an environment without choices.
type orderly struct{ model.Env }

// Choose returns 0.
func (orderly) Choose(int) int { return 0 }

type refutesAll struct{ Spec }

// Refutes increments the incarnation at any suspicion.
func (refutesAll) Refutes(news Entry, own int) int {
	if news.State == Suspected {
		return own + 1
	}
	return own
}

type wary struct{ Spec }

// Overrides ignores earlier incarnations.
func (wary) Overrides(news, known Entry) bool {
	return Spec{}.Overrides(news, known) && news.Incarnation >= known.Incarnation
}
