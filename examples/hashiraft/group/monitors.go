package group

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/model"
)

// noted returns the words of a note, none of anything else.
func noted(o model.Observation) []string {
	text, is := o.Value.(string)
	if !is || o.Kind != model.Noted {
		return nil
	}
	return strings.SplitN(text, " ", 4)
}

// leaders claims that each term has one leader at most.
type leaders struct{ Of map[string]model.NodeID }

func (l *leaders) Observe(w model.Watch, o model.Observation) {
	words := noted(o)
	if len(words) < 2 || words[0] != "leader" {
		return
	}
	w.Witness()
	if before, is := l.Of[words[1]]; is && before != o.Node {
		w.Violate("term %s has two leaders, n%d and n%d", words[1], before, o.Node)
	}
	l.Of[words[1]] = o.Node
}

// stands claims that only servers with a vote become candidates. The voters are the first servers.
type stands struct{ Voters int }

func (s *stands) Observe(w model.Watch, o model.Observation) {
	words := noted(o)
	if len(words) == 0 || words[0] != "candidate" && words[0] != "leader" {
		return
	}
	w.Witness()
	if int(o.Node) >= s.Voters {
		w.Violate("n%d has no vote, but is a %s", o.Node, words[0])
	}
}

// transfers claims that a leader takes words again once a transfer of its leadership has failed or succeeded.
type transfers struct{}

func (*transfers) Observe(w model.Watch, o model.Observation) {
	switch words := noted(o); {
	case len(words) == 0:
	case words[0] == "transfers":
		w.Witness()
	case words[0] == "refuses":
		w.Violate("n%d %s", o.Node, o.Value)
	}
}

// alike claims that servers note the same of each index of the log, such as the command that they apply there.
type alike struct {
	Note string // its first word; the index is the second
	From int    // number of words before the common part
	At   map[int]string
}

func (a *alike) Observe(w model.Watch, o model.Observation) {
	var index int
	words := noted(o)
	if len(words) <= a.From || words[0] != a.Note || !number(words[1], &index) {
		return
	}
	w.Witness()
	text := strings.Join(words[a.From:], " ")
	switch before, is := a.At[index]; {
	case !is:
		a.At[index] = text
	case before != text:
		w.Violate("at index %d it is %s, but n%d has %s", index, before, o.Node, text)
	}
}

func number(word string, n *int) bool {
	_, err := fmt.Sscan(word, n)
	return err == nil
}

// A place is an index of a server's log.
type place struct {
	Node  model.NodeID
	Index int
}

// An entry is an entry of a server's log.
type entry struct {
	Term int
	Data string
}

// logs are the entries of each server that were noted.
type logs struct {
	Of   map[place]entry
	Last map[model.NodeID]int // no entry is behind it
}

// follow updates the logs by a server's note. It returns the index of the stored entry, or 0.
func (l *logs) follow(n model.NodeID, words []string) (stored int) {
	if l.Of == nil {
		l.Of, l.Last = map[place]entry{}, map[model.NodeID]int{}
	}
	switch words[0] {
	case "opens":
		l.cut(n, 0, l.Last[n])
	case "delete":
		var first, last int
		if number(words[1], &first) && number(words[2], &last) {
			l.cut(n, first, last)
		}
	case "store":
		var index int
		var e entry
		if number(words[1], &index) && number(words[2], &e.Term) {
			e.Data = words[3]
			l.cut(n, index, l.Last[n])
			l.Of[place{n, index}], l.Last[n] = e, index
			return index
		}
	}
	return 0
}

// cut removes the entries of a server between two indices.
func (l *logs) cut(n model.NodeID, from, to int) {
	for i := from; i <= to; i++ {
		delete(l.Of, place{n, i})
	}
}

// matching claims that two logs with an entry of the same index and term are identical up to this entry. It
// is enough to compare the entry and its predecessor.
type matching struct{ Logs logs }

func (m *matching) Observe(w model.Watch, o model.Observation) {
	if words := noted(o); len(words) > 0 {
		if index := m.Logs.follow(o.Node, words); index > 0 {
			m.Logs.compare(w, o.Node, index)
		}
	}
}

// compare compares an entry with the entries of other servers.
func (l *logs) compare(w model.Watch, n model.NodeID, index int) {
	e := l.Of[place{n, index}]
	before, mine := l.Of[place{n, index - 1}]
	for _, other := range slices.Sorted(maps.Keys(l.Last)) {
		its, is := l.Of[place{other, index}]
		if other == n || !is || its.Term != e.Term {
			continue
		}
		w.Witness()
		itsBefore, both := l.Of[place{other, index - 1}]
		if its != e || mine && both && itsBefore.Term != before.Term {
			w.Violate("n%d and n%d have an entry of term %d at index %d, but %q after one of term %d and %q after one of term %d",
				n, other, e.Term, index, e.Data, before.Term, its.Data, itsBefore.Term)
		}
	}
}

// complete claims that the leader of a term has all entries that were committed in earlier terms. An entry
// that a server has applied was committed. The snapshot has the entries that the log lacks, up to the
// index where the log ends.
type complete struct {
	Logs    logs
	Applied map[int]entry
	Term    int // the latest term with a leader: leaders of earlier terms need not have its entries
}

func (c *complete) Observe(w model.Watch, o model.Observation) {
	words := noted(o)
	if len(words) == 0 {
		return
	}
	c.Logs.follow(o.Node, words)
	var index, term, last int
	switch {
	case len(words) == 4 && words[0] == "apply" && number(words[1], &index) && number(words[2], &term):
		if c.Applied == nil {
			c.Applied = map[int]entry{}
		}
		c.Applied[index] = entry{term, words[3]}
	case len(words) == 3 && words[0] == "leader" && number(words[1], &term) && number(words[2], &last) && term > c.Term:
		c.Term = term
		c.leads(w, o.Node, last)
	}
}

// leads compares the log of a new leader with the committed entries. The log ends at last.
func (c *complete) leads(w model.Watch, n model.NodeID, last int) {
	for _, i := range slices.Sorted(maps.Keys(c.Applied)) {
		is := c.Applied[i]
		if is.Term >= c.Term {
			continue
		}
		w.Witness()
		if kept, has := c.Logs.Of[place{n, i}]; i > last || has && kept.Term != is.Term {
			w.Violate("n%d leads term %d without entry %d of term %d, %q, which was committed", n, c.Term, i, is.Term, is.Data)
		}
	}
}

// terms claims that the term of a server only grows, over crashes too.
type terms struct{ Of map[model.NodeID]int }

func (t *terms) Observe(w model.Watch, o model.Observation) {
	var term int
	if words := noted(o); len(words) < 2 || words[0] != "term" || !number(words[1], &term) {
		return
	}
	if t.Of == nil {
		t.Of = map[model.NodeID]int{}
	}
	w.Witness()
	if before := t.Of[o.Node]; term < before {
		w.Violate("n%d was in term %d, and is in term %d", o.Node, before, term)
	}
	t.Of[o.Node] = term
}

// acknowledged is reached when a call of each server was answered.
type acknowledged struct{ By map[model.NodeID]bool }

func (a *acknowledged) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Returned && o.Value == "ok" {
		if a.By == nil {
			a.By = map[model.NodeID]bool{}
		}
		a.By[o.Node] = true
	}
}

// Reached implements [model.Goal].
func (a *acknowledged) Reached() bool { return len(a.By) >= 3 }
