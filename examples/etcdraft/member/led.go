package member

import "contend/model"

// first returns a peer in its initial state. If the group begins with a leader, all peers have elected the
// first peer, and no message is in flight.
func (c *Config) first(id uint64) *Peer {
	if !c.Led {
		return c.peer(id, bootstrap(c), c.Budgets(id))
	}
	g := &opening{}
	for i := range c.N {
		g.peers = append(g.peers, c.peer(uint64(i+1), bootstrap(c), c.Budgets(uint64(i+1))))
	}
	leader := g.peers[0]
	leader.do(quiet{g: g}, func() { check(leader.Node.Campaign()) })
	for len(g.due) > 0 {
		next := g.due[0]
		g.due = g.due[1:]
		next()
	}
	return g.peers[id-1]
}

// An opening is a group before the run. All messages arrive, in order.
type opening struct {
	peers []*Peer
	due   []func()
}

// quiet is the Env of a peer in an opening.
type quiet struct {
	model.Env
	g    *opening
	self model.NodeID
}

func (q quiet) Note(any) {}

func (q quiet) Choose(int) int { return 0 } // the power does not fail

func (q quiet) Send(to model.NodeID, m any) {
	q.g.due = append(q.g.due, func() { q.g.peers[to].Receive(quiet{g: q.g, self: to}, q.self, m) })
}

// After ignores the alarms of the threads of asynchronous storage writes.
func (q quiet) After(key any, _ model.Window) {
	q.g.due = append(q.g.due, func() {
		if p := q.g.peers[q.self]; p.busy(key) {
			p.Timeout(q, key)
		}
	})
}
