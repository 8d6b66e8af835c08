package traced

import (
	"fmt"

	"contend/model"
)

const figure3 = "Ongaro and Ousterhout, 2014, Figure 3"

var claims = []model.Claim{
	{
		Name: "Election Safety", Kind: model.Always,
		Source:  figure3 + `: "at most one leader can be elected in a given term. §5.2"`,
		Monitor: func(*model.System) model.Monitor { return &election{} },
	},
	{
		Name: "State Machine Safety", Kind: model.Always,
		Source:    figure3 + `: "if a server has applied a log entry at a given index to its state machine, no other server will ever apply a different log entry for the same index. §5.4.3"`,
		Invariant: agree,
	},
}

// An election has the leader of each term.
type election struct{ Leaders map[int]model.NodeID }

func (e *election) Observe(w model.Watch, o model.Observation) {
	term := 0
	switch n := o.Value.(type) {
	case Shows:
		if n.Event == "BecomeLeader" {
			term = n.Term
		}
	case Leads:
		term = n.Term
	}
	if term == 0 {
		return
	}
	w.Witness()
	if first, led := e.Leaders[term]; led && first != o.Node {
		w.Violate("it leads in term %d, in which %d led", term, first+1)
		return
	}
	e.Leaders[term] = o.Node
}

// agree reports whether committed entries at one index are equal. Logs that agree at an index agree below it, so the last
// one that both have committed stands for all.
func agree(nodes []model.Node) error {
	for i, a := range nodes {
		a := server(a)
		if a == nil {
			continue
		}
		for j, b := range nodes[:i] {
			b := server(b)
			if b == nil {
				continue
			}
			if k := min(a.Commit, b.Commit); k > 0 && a.Log[k-1] != b.Log[k-1] {
				return fmt.Errorf("%d and %d have committed different entries at %d: %v and %v", j+1, i+1, k, b.Log[k-1], a.Log[k-1])
			}
		}
	}
	return nil
}

// server returns the member of a node; nil if the node is down.
func server(n model.Node) *Server {
	switch n := n.(type) {
	case *Server:
		return n
	case *Stepper:
		return &n.Server
	}
	return nil
}
