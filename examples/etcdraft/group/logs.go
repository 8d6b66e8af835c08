package group

import (
	"fmt"
	"slices"

	"contend/examples/etcdraft/member"
	"contend/model"
	"contend/model/foreign"
)

// views returns the views of the peers that are up.
func views(nodes []model.Node) map[model.NodeID]member.View {
	up := map[model.NodeID]member.View{}
	for i, n := range nodes {
		if at, is := n.(*foreign.Node[member.View]); is {
			up[model.NodeID(i)] = at.View
		}
	}
	return up
}

// logsMatch checks Log Matching for each pair of peers that are up.
func logsMatch(nodes []model.Node) error {
	up := views(nodes)
	for i := range nodes {
		for j := range i {
			a, is := up[model.NodeID(j)]
			b, also := up[model.NodeID(i)]
			if !is || !also {
				continue
			}
			if err := match(whole(a), whole(b)); err != nil {
				return fmt.Errorf("p%d and p%d: %w", j+1, i+1, err)
			}
		}
	}
	return nil
}

// whole returns a log with the entry before it. The data of this entry is gone.
func whole(v member.View) []member.Entry { return append([]member.Entry{v.Snapshot}, v.Log...) }

// match returns an error if two logs agree on an entry but differ below it.
func match(a, b []member.Entry) error {
	low := max(a[0].Index, b[0].Index)
	high := min(a[len(a)-1].Index, b[len(b)-1].Index)
	same := false
	for i := int(high); i >= int(low); i-- {
		x, y := a[i-int(a[0].Index)], b[i-int(b[0].Index)]
		same = same || x.Term == y.Term
		if same && x.Term != y.Term || same && uint64(i) > low && x != y {
			return fmt.Errorf("logs that agree above differ at index %d: %v and %v", i, x, y)
		}
	}
	return nil
}

// complete stores the committed entries from index 2 on, each with the lowest term in which it was committed.
// It also stores the logs with which leaders began.
type complete struct {
	Committed []member.Applied
	Leaders   []member.Elected
}

func (c *complete) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case member.Applied:
		c.commit(w, n)
	case member.Elected:
		if !slices.ContainsFunc(c.Leaders, func(l member.Elected) bool { return l.Term == n.Term }) {
			c.Leaders = append(c.Leaders, n)
			slices.SortFunc(c.Leaders, func(a, b member.Elected) int { return int(a.Term) - int(b.Term) })
		}
		for _, e := range c.Committed {
			lacks(w, n, e)
		}
	}
}

func (c *complete) commit(w model.Watch, n member.Applied) {
	at, found := slices.BinarySearchFunc(c.Committed, n.Entry.Index, func(e member.Applied, index uint64) int { return byIndex(e.Entry, index) })
	switch {
	case !found:
		c.Committed = slices.Insert(c.Committed, at, n)
	case c.Committed[at].Entry == n.Entry && c.Committed[at].Known <= n.Known:
		return
	case c.Committed[at].Entry == n.Entry:
		c.Committed[at].Known = n.Known
	}
	for _, l := range c.Leaders {
		lacks(w, l, n)
	}
}

// lacks reports a violation if the log of a leader lacks an entry that was committed in an earlier term.
func lacks(w model.Watch, l member.Elected, e member.Applied) {
	if l.Term <= e.Known || e.Entry.Index < l.First {
		return
	}
	w.Witness()
	if !slices.Contains(l.Log, e.Entry) {
		w.Violate("the leader of term %d began with the log %v, without %v, which was committed in term %d", l.Term, l.Log, e.Entry, e.Known)
	}
}
