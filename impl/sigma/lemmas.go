package sigma

import (
	"errors"
	"maps"
	"slices"

	"contend/model"
)

// wellFormed checks Lemma 1: "any execution on (ui, ci) is well-formed", which follows "the cyclic order {try, crit,
// exit, rem}".
type wellFormed struct{ Section map[model.NodeID]section }

// A section is the section of its code that a client executes. (§3)
type section int

const (
	remainder section = iota
	trying
	critical
	exiting
)

func (l *wellFormed) Observe(w model.Watch, o model.Observation) {
	from, to := remainder, remainder
	switch o.Kind {
	case model.Invoked:
		to = trying
	case model.Returned:
		from, to = trying, critical
	case model.Released:
		from, to = critical, exiting
	case model.Noted:
		if _, rem := o.Value.(Rem); !rem {
			return
		}
		from = exiting
	default:
		return
	}
	w.Witness()
	if l.Section[o.Node] != from {
		w.Violate("its actions do not follow the order of try, crit, exit, rem")
	}
	l.Section[o.Node] = to
}

// An Epoch belongs to a client. It lasts "when the client is in its trying section or the subsequent critical section".
// (§3)
type Epoch struct {
	Crashed map[model.NodeID]bool // the servers that have crashed in the epoch
	By      map[model.NodeID]bool // the servers that support the client in its critical section
}

// overlap checks Lemmas 2 to 4 for two clients in their critical sections at the same time. The period that covers
// their trying sections began with the earlier of their epochs. So the servers that crashed in the period are the
// servers that crashed in either epoch.
type overlap struct {
	judge  func(w model.Watch, s *overlap, a, b Epoch)
	shared int  // 2m-n
	faulty bool // also count servers that are down when an epoch begins
	Epochs map[model.NodeID]Epoch
	Down   map[model.NodeID]bool
}

func watchOverlap(faulty bool, judge func(model.Watch, *overlap, Epoch, Epoch)) func(*model.System) model.Monitor {
	return func(s *model.System) model.Monitor {
		return &overlap{judge: judge, faulty: faulty, shared: 2*M.Of(s.Config) - s.Config.N}
	}
}

func (l *overlap) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Noted:
		switch n := o.Value.(type) {
		case Tries:
			l.Epochs[o.Node] = Epoch{Crashed: maps.Clone(l.Down)}
		case Granted:
			l.granted(w, o.Node, n.By)
		}
	case model.Released:
		delete(l.Epochs, o.Node)
	case model.Recovered:
		delete(l.Down, o.Node)
	case model.Crashed:
		delete(l.Epochs, o.Node)
		l.crashed(o.Node)
	}
}

func (l *overlap) crashed(id model.NodeID) {
	for c, e := range l.Epochs {
		crashed := map[model.NodeID]bool{id: true}
		maps.Copy(crashed, e.Crashed)
		l.Epochs[c] = Epoch{crashed, e.By}
	}
	if l.faulty {
		l.Down[id] = true
	}
}

func (l *overlap) granted(w model.Watch, c model.NodeID, by map[model.NodeID]bool) {
	mine := Epoch{l.Epochs[c].Crashed, by}
	l.Epochs[c] = mine
	for _, other := range slices.Sorted(maps.Keys(l.Epochs)) {
		if other == c {
			continue
		}
		w.Witness()
		if e := l.Epochs[other]; len(e.By) > 0 {
			l.judge(w, l, mine, e)
		}
	}
}

// lemma2: "If for some server rj, respi[j] = (ci,ti) at the end of TSi and respi'[j] = (ci',ti')
// at the end of TSi', then there must be a crash failure on server rj during the period that
// covers TSi and TSi'."
func lemma2(w model.Watch, _ *overlap, a, b Epoch) {
	for _, j := range slices.Sorted(maps.Keys(a.By)) {
		if b.By[j] && !a.Crashed[j] && !b.Crashed[j] {
			w.Violate("a server supports two clients, and has not crashed")
		}
	}
}

// lemma3: "If two different clients are in their critical sections at the same time, there must
// be at least 2m-n servers that have crash failures during the period that covers the two previous
// trying sections".
func lemma3(w model.Watch, l *overlap, a, b Epoch) {
	crashed := maps.Clone(a.Crashed)
	maps.Copy(crashed, b.Crashed)
	if len(crashed) < l.shared {
		w.Violate("two clients are in their critical sections, but only %d servers have crashed", len(crashed))
	}
}

// lemma4: "If 2m-n > f, then no two different clients are in their critical sections at the same time". Definition 1
// defines f: "the maximum number of faulty servers during any epoch of any client". The larger number in these two
// epochs is enough here.
func lemma4(w model.Watch, l *overlap, a, b Epoch) {
	if max(len(a.Crashed), len(b.Crashed)) < l.shared {
		w.Violate("two clients are in their critical sections, but fewer than 2m-n servers were faulty in either epoch")
	}
}

// claim1 checks Claim 1 in the proof of Lemma 2, for the epoch of a client that does not crash. A server that supports
// the client's request supports it until the client's YIELD, unless the server crashes.
type claim1 struct {
	Epochs  map[model.NodeID]int     // of clients: the timestamp
	Owner   map[model.NodeID]Request // of servers
	Yielded map[model.NodeID]bool    // servers that handle a YIELD from their owner
}

func (l *claim1) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Released, model.Crashed:
		delete(l.Epochs, o.Node)
		delete(l.Owner, o.Node)
		return
	case model.Noted:
	default:
		return
	}
	switch n := o.Value.(type) {
	case Tries:
		l.Epochs[o.Node] = n.T
	case Yielded:
		l.Yielded[o.Node] = true
	case Owns:
		was := l.Owner[o.Node]
		if t, in := l.Epochs[was.Client]; in && was.T == t {
			w.Witness()
			if n.Owner != was && !l.Yielded[o.Node] {
				w.Violate("it supports another request, but its owner has not yielded")
			}
		}
		l.Owner[o.Node] = n.Owner
		delete(l.Yielded, o.Node)
	}
}

// A Pair is a client in its trying section, with a server.
type Pair struct{ Client, Server model.NodeID }

// A Balance compares the messages between the client and the server in this trying section.
type Balance struct {
	Answered bool // one more (RESPONSE, ci, ti) was sent than (YIELD, ti) received
	Asked    bool // one more (RESPONSE, ci, ti) was sent than (YIELD, ti)
}

// yields checks Proposition 3 and Lemma 6, while a client is in its trying section and a server is "correct in the
// period". Servers in Down are not correct.
type yields struct {
	lemma6 bool
	Trying map[model.NodeID]int // the timestamp of the client's request
	Faulty map[Pair]bool        // the server was down in the trying section
	Down   map[model.NodeID]bool
	Pairs  map[Pair]Balance
}

func (l *yields) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Recovered:
		delete(l.Down, o.Node)
	case model.Crashed:
		l.over(o.Node)
		l.crashed(o.Node)
	case model.Noted:
		switch n := o.Value.(type) {
		case Tries:
			l.begins(o.Node, n.T)
		case Granted:
			l.over(o.Node)
		case Supports:
			l.supports(w, n.Request, o.Node)
		case Yields:
			l.yields(w, Pair{o.Node, n.Server})
		case Yielded:
			l.yielded(n.Request, o.Node)
		}
	}
}

func (l *yields) begins(c model.NodeID, t int) {
	l.Trying[c] = t
	for j := range l.Down {
		l.Faulty[Pair{c, j}] = true
	}
}

func (l *yields) over(c model.NodeID) {
	delete(l.Trying, c)
	maps.DeleteFunc(l.Pairs, func(p Pair, _ Balance) bool { return p.Client == c })
	maps.DeleteFunc(l.Faulty, func(p Pair, _ bool) bool { return p.Client == c })
}

func (l *yields) crashed(j model.NodeID) {
	l.Down[j] = true
	for c := range l.Trying {
		l.Faulty[Pair{c, j}] = true
		delete(l.Pairs, Pair{c, j})
	}
}

// supports checks: "If rj sends (RESPONSE, ci, ti) messages to ci at both time t and t' > t during the trying section
// TSi, then rj must have received a (YIELD, ti) message from ci during the period". For Lemma 6 (b) it checks that the
// server has received all YIELDs that were sent before.
func (l *yields) supports(w model.Watch, r Request, j model.NodeID) {
	p := Pair{r.Client, j}
	if l.Trying[r.Client] != r.T || l.Faulty[p] {
		return
	}
	w.Witness()
	b := l.Pairs[p]
	if b.Answered || l.lemma6 && b.Asked {
		w.Violate("it tells a client again that it supports it, and has received no YIELD in between")
	}
	l.Pairs[p] = Balance{Answered: true, Asked: true}
}

// yields checks: "If ci sends the k-th (YIELD, ti) message to rj at time t for any k ≥ 1, then (a) before time t, rj
// sends the (RESPONSE, ci, ti) message to ci exactly k times, and (b) … rj receives the k-th (YIELD, ti) message from
// ci after time t".
func (l *yields) yields(w model.Watch, p Pair) {
	if !l.lemma6 || l.Faulty[p] {
		return
	}
	w.Witness()
	b := l.Pairs[p]
	if !b.Asked || !b.Answered {
		w.Violate("it yields, but the server has not told it once more than it has yielded that it supports it")
	}
	l.Pairs[p] = Balance{Answered: b.Answered}
}

func (l *yields) yielded(r Request, j model.NodeID) {
	p := Pair{r.Client, j}
	if b, ok := l.Pairs[p]; ok && l.Trying[r.Client] == r.T {
		l.Pairs[p] = Balance{Asked: b.Asked}
	}
}

// servers returns an invariant that calls judge for each server that is up, in each state. An error of judge is a
// violation.
func servers(judge func(s *Server) error) func([]model.Node) error {
	return func(nodes []model.Node) error {
		for _, n := range nodes {
			if s, ok := n.(interface{ server() *Server }); ok {
				if err := judge(s.server()); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// supportHeld checks the tokens of support in a state. If resp[j] of a client in its trying section is its own request,
// then that request is (cowner, towner) of rj.
func supportHeld(nodes []model.Node) error {
	for i, n := range nodes {
		c, ok := n.(interface{ client() *Client })
		if !ok || !c.client().Trying {
			continue
		}
		mine := Request{model.NodeID(i), c.client().Timestamp}
		for j, kept := range c.client().Resp {
			if s, up := nodes[j].(interface{ server() *Server }); up && kept == mine && s.server().Owner != mine {
				return errors.New("a client counts the support of a server that supports another request, or none")
			}
		}
	}
	return nil
}

// proposition1: "On any server, at any time, if cowner = nil, then ReqQ is empty."
func proposition1(s *Server) error {
	if s.Owner.T == 0 && len(s.ReqQ) > 0 {
		return errors.New("a server supports nobody, but its queue is not empty")
	}
	return nil
}

// proposition2a: "for any ci ∈ Σ, there is at most one entry (ci, -) in the request queue".
func proposition2a(s *Server) error {
	entries := map[model.NodeID]int{}
	for _, r := range s.ReqQ {
		if entries[r.Client]++; entries[r.Client] > 1 {
			return errors.New("a client has two entries in a queue")
		}
	}
	return nil
}

// proposition2b: "if cowner is not nil, then (cowner, -) is not in ReqQ".
func proposition2b(s *Server) error {
	for _, r := range s.ReqQ {
		if s.Owner.T != 0 && r.Client == s.Owner.Client {
			return errors.New("a server supports a client that is in its queue")
		}
	}
	return nil
}

// rounds checks "the number of messages is 3n in low load cases …, and could be 5n in high load cases". Before its k-th
// round of lines 14 to 18 ends, a client has received m responses k times. It has sent m messages k times. Before its
// entry it receives m more responses. It also sends n REQUESTs and n RELEASEs.
type rounds struct {
	n, m  int
	Asked map[model.NodeID]int // the rounds of each client in its trying section
}

func (l *rounds) Observe(w model.Watch, o model.Observation) {
	switch o.Value.(type) {
	case Tries:
		l.Asked[o.Node] = 0
	case Granted:
		w.Witness()
		if sent := 2*l.n + (2*l.Asked[o.Node]+1)*l.m; sent > 5*l.n {
			w.Violate("it enters when at least %d messages have been sent for it, its RELEASEs included", sent)
		}
		delete(l.Asked, o.Node)
	case Asks:
		if l.Asked[o.Node] < 2*l.n { // and no further is counted
			l.Asked[o.Node]++
		}
	}
}
