package claims_test

import (
	"testing"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
)

// consensus returns three nodes that send their proposals to the first. The first node announces the first
// proposal that it receives. The function decides gets a node's own proposal and the announced proposal.
func consensus(f model.Faults, decides func(env model.Env, mine, told int)) scene {
	const leader = 0
	chosen := func(n *tiny, env model.Env, value int) {
		if n.Counts[leader] == 0 {
			n.Counts[leader] = value
			env.Broadcast([]model.NodeID{0, 1, 2}, told{What: "chosen", Who: -1, N: value})
		}
	}
	p := tiny{
		invoke: func(n *tiny, env model.Env, op any) {
			n.Number = op.(propose).Value
			env.Send(leader, told{What: "propose", Who: -1, N: n.Number})
		},
		receive: func(n *tiny, env model.Env, _ model.NodeID, m any) {
			if t := m.(told); t.What == "propose" {
				chosen(n, env, t.N)
			} else if n.Number != 0 {
				decides(env, n.Number, t.N)
			} else {
				n.Counts[1] = t.N
			}
		},
	}
	invoke := p.invoke
	p.invoke = func(n *tiny, env model.Env, op any) {
		if invoke(n, env, op); n.Counts[1] != 0 { // it has already received the value
			decides(env, n.Number, n.Counts[1])
		}
	}
	s := scene{faults: f}
	for i := range 3 {
		s.nodes = append(s.nodes, node(i, p, propose{1 + i%2}))
	}
	return s
}

// The rules of decision: the announced value, the node's own value, a value that was not proposed, the same
// value twice.
func obedient(env model.Env, _, told int) { env.Return(told) }
func stubborn(env model.Env, mine, _ int) { env.Return(mine) }
func inventive(env model.Env, _, _ int)   { env.Return(7) }
func talkative(env model.Env, _, told int) {
	env.Deliver(told)
	env.Deliver(told)
	env.Return(told)
}

// proposal returns the value of a call.
func proposal(o model.Observation) (any, bool) {
	p, ok := o.Value.(propose)
	return p.Value, ok && o.Kind == model.Invoked
}

func TestConsensus(t *testing.T) {
	none, crash := model.Faults{}, model.Faults{Crashes: 1}
	possible := claims.EventualAgreement(claims.Returns)
	possible.Kind = model.PossibleFromEverywhere
	decide(t, []verdict{
		{"obedient", consensus(crash, obedient), claims.Agreement(claims.Returns), checker.Holds},
		{"stubborn", consensus(none, stubborn), claims.Agreement(claims.Returns), checker.Violated},
		{"obedient", consensus(crash, obedient), claims.UniformAgreement(claims.Returns), checker.Holds},
		{"stubborn", consensus(none, stubborn), claims.UniformAgreement(claims.Returns), checker.Violated},
		{"obedient", consensus(crash, obedient), claims.Validity(proposal, claims.Returns), checker.Holds},
		{"stubborn", consensus(none, stubborn), claims.Validity(proposal, claims.Returns), checker.Holds},
		{"inventive", consensus(none, inventive), claims.Validity(proposal, claims.Returns), checker.Violated},
		{"obedient", consensus(crash, obedient), claims.DecidesOnce(claims.Returns), checker.Holds},
		{"talkative", consensus(none, talkative), claims.DecidesOnce(claims.Delivers), checker.Violated},
		{"obedient", consensus(none, obedient), claims.EventualAgreement(claims.Returns), checker.Holds},
		{"stubborn", consensus(none, stubborn), claims.EventualAgreement(claims.Returns), checker.Violated},
		{"the leader crashes", consensus(crash, obedient), claims.EventualAgreement(claims.Returns), checker.Violated},
		{"obedient", consensus(none, obedient), possible, checker.Holds},
		{"the leader crashes", consensus(crash, obedient), possible, checker.Violated},
	})
}

// elects returns an election of two terms, in which a node leads once it has the given number of votes. Each
// node votes once a term.
func elects(needed int) scene {
	p := tiny{
		invoke: func(n *tiny, env model.Env, op any) {
			env.Broadcast([]model.NodeID{0, 1, 2}, told{What: "vote", Who: -1, N: op.(propose).Value})
			env.Return(nil)
		},
		receive: func(n *tiny, env model.Env, from model.NodeID, m any) {
			switch t := m.(told); {
			case t.What == "vote" && n.Number < t.N:
				n.Number = t.N
				env.Send(from, told{What: "yes", Who: -1, N: t.N})
			case t.What == "yes":
				if n.Counts[model.NodeID(t.N)]++; n.Counts[model.NodeID(t.N)] == needed {
					env.Note(told{What: "leads", Who: -1, N: t.N})
				}
			}
		},
	}
	return scene{nodes: []model.NodeSpec{node(0, p, propose{1}, propose{2}), node(1, p, propose{1}), node(2, p)}}
}

func leads(o model.Observation) (int, bool) {
	label, ok := o.Value.(told)
	return label.N, ok && o.Kind == model.Noted && label.What == "leads"
}

func TestElections(t *testing.T) {
	decide(t, []verdict{
		{"by a majority", elects(2), claims.OneLeaderATerm(leads), checker.Holds},
		{"by anybody", elects(1), claims.OneLeaderATerm(leads), checker.Violated},
	})
}
