package claims_test

import (
	"testing"

	"contend/checker"
	"contend/model"
	"contend/model/claims"
)

// lock returns a server that grants a section to clients in turn, and notes the clients that wait. The
// function take selects the end of the queue. A polite server makes no client wait.
func lock(polite bool, take func(queue int) int) scene {
	grant := func(n *tiny, env model.Env) {
		if n.Number == 0 && len(n.Queue) > 0 {
			at := take(len(n.Queue))
			env.Send(n.Queue[at], say("yours"))
			n.Number = 1
			n.Queue = append(n.Queue[:at], n.Queue[at+1:]...)
		}
	}
	keeper := tiny{receive: func(n *tiny, env model.Env, from model.NodeID, m any) {
		switch m.(told).What {
		case "mine":
			env.Note(told{What: "waits", Who: from})
			n.Queue = append(n.Queue, from)
		case "done":
			n.Number = 0
		}
		if polite {
			n.Number = 0
		}
		grant(n, env)
	}}
	s := scene{}
	for i := range 3 {
		s.nodes = append(s.nodes, node(i, tiny{
			invoke: func(n *tiny, env model.Env, op any) {
				what := "mine"
				if op == (release{}) {
					what = "done"
				}
				env.Send(3, say(what))
			},
			receive: func(n *tiny, env model.Env, _ model.NodeID, _ any) { env.Return(nil) },
		}, acquire{}, acquire{}))
	}
	s.nodes = append(s.nodes, server(keeper))
	return s
}

func oldest(int) int         { return 0 }
func youngest(queue int) int { return queue - 1 }

func waits(o model.Observation) (model.NodeID, bool) {
	label, ok := o.Value.(told)
	return label.Who, ok && o.Kind == model.Noted && label.What == "waits"
}

func TestLocks(t *testing.T) {
	decide(t, []verdict{
		{"one after another", lock(false, oldest), claims.MutualExclusion(), checker.Holds},
		{"whoever asks", lock(true, oldest), claims.MutualExclusion(), checker.Violated},
		{"who came first", lock(false, oldest), claims.BoundedOvertaking(1, waits), checker.Holds},
		{"never two", lock(false, oldest), claims.BoundedOvertaking(0, waits), checker.Violated},
		{"who came last", lock(false, youngest), claims.BoundedOvertaking(1, waits), checker.Violated},
		{"two are all there are", lock(false, youngest), claims.BoundedOvertaking(2, waits), checker.Holds},
		{"a request may be late", lock(false, oldest), claims.BoundedOvertaking(1, nil), checker.Violated},
		{"and is not in the end", lock(false, oldest), claims.BoundedOvertaking(2, nil), checker.Holds},
		{"what is known is queued", lock(false, oldest), claims.HappenedBefore(), checker.Holds},
		{"who came last goes first", lock(false, youngest), claims.HappenedBefore(), checker.Violated},
	})
}
