package pbft

import "contend/model"

// A Digest names a request of a client. [Null] names the null request. It has no effect.
type Digest int

// Null is the digest of the null request.
const Null Digest = 0

// A PrePrepare assigns a sequence number to a request in a view. The primary of the view sends it.
type PrePrepare struct {
	View, N int
	Digest  Digest
}

// The other messages of the normal case. The sender is i.
type (
	Prepare struct{ PrePrepare }
	Commit  struct{ PrePrepare }
)

// A Phase is the progress of a sequence number in a replica's view.
type Phase int

// The phases.
const (
	PrePrepared    Phase = iota // a pre-prepare is accepted
	Prepared                    // prepared(m, v, n, i)
	CommittedLocal              // committed-local(m, v, n, i)
)

func (p Phase) String() string { return [...]string{"pre-prepared", "prepared", "committed-local"}[p] }

// A Slot is the accepted request of a sequence number in the current view.
type Slot struct {
	Digest Digest
	Phase  Phase
}

// A Replica is one of the n replicas.
type Replica struct {
	cfg   *Config
	spec  Definitions
	leads []bool // the views whose primary it is

	View  int // views[i]
	Asked int // the view of its last view-change message, if that is higher: then vChange[i] is true

	// The log, mlogs[i], without entries that are no longer needed.
	Slots    map[int]Slot                         // by sequence number, in this view
	Early    map[PrePrepare]bool                  // pre-prepares of later views
	Prepares map[PrePrepare]map[model.NodeID]bool // the senders of matching prepares
	Commits  map[PrePrepare]map[model.NodeID]bool // the senders of matching commits
	Proofs   map[int]Certificate                  // by sequence number: the last certificate
	Changes  map[int]map[model.NodeID]ViewChange

	Committed map[int]Digest // by sequence number: the request committed locally, in any view
	Executed  []Digest       // the service's state: the executed requests, in order

	Seen Evidence // not used by the protocol: see adversary.go
}

// The alarms of a replica.
type (
	propose struct{} // PrePrepare(i), of the primary
	expire  struct{} // the timer of a backup expires: ViewChange(i)
)

// Start sets the alarms.
func (r *Replica) Start(env model.Env) { r.await(env) }

// await sets or cancels the alarms according to the state.
func (r *Replica) await(env model.Env) {
	set := func(alarm any, is bool) {
		env.Cancel(alarm)
		if is {
			env.After(alarm, model.Anytime())
		}
	}
	set(propose{}, r.leads[r.View] && r.Asked == r.View && r.spec.Next(r) <= r.cfg.Numbers)
	set(expire{}, r.spec.Expires(r) && r.Asked+1 < r.cfg.Views)
}

// Timeout implements PrePrepare(i) and ViewChange(i).
func (r *Replica) Timeout(env model.Env, alarm any) {
	switch alarm.(type) {
	case propose:
		r.prePrepare(env)
		r.await(env)
	case expire:
		env.Note(Expired{r.Asked + 1})
		r.viewChange(env, r.Asked+1)
	}
}

// Receive handles a properly signed message.
func (r *Replica) Receive(env model.Env, from model.NodeID, m any) {
	r.see(env, from, m)
	switch m := m.(type) {
	case PrePrepare:
		r.acceptPrePrepare(env, from, m)
	case Prepare:
		r.acceptPrepare(env, from, m)
	case Commit:
		r.acceptCommit(env, from, m)
	case ViewChange:
		r.acceptViewChange(env, from, m)
	case NewView:
		r.acceptNewView(env, from, m)
	}
}

// prePrepare implements PrePrepare(i): the primary assigns the next sequence number to a request without one.
func (r *Replica) prePrepare(env model.Env) {
	var open []Digest
	for d := Digest(1); int(d) <= r.cfg.Requests; d++ {
		if !r.assigned(d) {
			open = append(open, d)
		}
	}
	m := PrePrepare{r.View, r.spec.Next(r), open[env.Choose(len(open))]}
	env.Broadcast(r.cfg.others(env.Self()), m)
	r.Slots[m.N] = Slot{Digest: m.Digest}
	r.progress(env, m.N)
}

func (r *Replica) assigned(d Digest) bool {
	for _, s := range r.Slots {
		if s.Digest == d {
			return true
		}
	}
	return false
}

// acceptPrePrepare implements Prepare(i), for a pre-prepare of the primary. A pre-prepare of a later view waits.
func (r *Replica) acceptPrePrepare(env model.Env, from model.NodeID, m PrePrepare) {
	switch {
	case from != r.cfg.primary(m.View):
	case m.View > r.View && m.View >= r.Asked:
		r.Early[m] = true
	case r.spec.Heeds(r, m.View) && r.spec.MayAccept(r, m):
		r.prepare(env, m)
	}
}

// prepare accepts a pre-prepare, and sends prepares.
func (r *Replica) prepare(env model.Env, m PrePrepare) {
	r.Slots[m.N] = Slot{Digest: m.Digest}
	count(&r.Prepares, m, env.Self())
	r.see(env, env.Self(), Prepare{m})
	env.Broadcast(r.cfg.others(env.Self()), Prepare{m})
	r.progress(env, m.N)
}

// acceptPrepare implements AcceptPrepare(i). Prepares of later views are counted, too. In pbft.tla they stay in msgs
// until then.
func (r *Replica) acceptPrepare(env model.Env, from model.NodeID, m Prepare) {
	if r.spec.Heeds(r, m.View) && r.spec.Prepares(r.cfg, from, m.View) && r.open(m.PrePrepare, PrePrepared) {
		count(&r.Prepares, m.PrePrepare, from)
		r.progress(env, m.N)
	}
}

// acceptCommit implements AcceptCommit(i).
func (r *Replica) acceptCommit(env model.Env, from model.NodeID, m Commit) {
	if r.spec.Heeds(r, m.View) && r.open(m.PrePrepare, Prepared) {
		count(&r.Commits, m.PrePrepare, from)
		r.progress(env, m.N)
	}
}

// open reports whether a prepare or commit may still count. Its sequence number has no other request, and no later
// phase than last.
func (r *Replica) open(m PrePrepare, last Phase) bool {
	if m.N > r.cfg.Numbers { // the high water mark
		return false
	}
	s, is := r.Slots[m.N]
	return m.View > r.View || !is || s.Digest == m.Digest && s.Phase <= last
}

// progress advances a sequence number by Commit(i), when prepared becomes true, and by ExecuteNoCheckpoint(i), when
// committed-local becomes true.
func (r *Replica) progress(env model.Env, n int) {
	s, is := r.Slots[n]
	if !is {
		return
	}
	m := PrePrepare{r.View, n, s.Digest}
	if s.Phase == PrePrepared && r.spec.EnoughPrepares(r.cfg, len(r.Prepares[m])) {
		s.Phase = Prepared
		r.Proofs[n] = Certificate{m, len(r.Prepares[m])}
		env.Note(BecamePrepared{m})
		env.Broadcast(r.cfg.others(env.Self()), Commit{m})
		count(&r.Commits, m, env.Self())
	}
	if s.Phase == Prepared && r.spec.EnoughCommits(r.cfg, len(r.Commits[m])) {
		s.Phase = CommittedLocal
		env.Note(BecameCommitted{m})
		r.Committed[n] = m.Digest
	}
	r.Slots[n] = s
	r.forget()
	r.execute(env)
}

// execute executes the locally committed requests in the order of their sequence numbers. It executes each request
// once.
func (r *Replica) execute(env model.Env) {
	for {
		n := r.spec.Executes(r)
		d, is := r.Committed[n]
		if !is {
			return
		}
		if d != Null && !r.spec.Fresh(r, d) {
			d = Null
		}
		env.Note(Executed{d, n})
		r.Executed = append(r.Executed, d)
	}
}

// forget deletes log entries that are no longer needed.
func (r *Replica) forget() {
	past := func(m PrePrepare, last Phase) bool {
		return m.View < r.Asked && !r.spec.Heeds(r, m.View) || m.View == r.View && !r.open(m, last)
	}
	for m := range r.Early {
		if m.View <= r.View || m.View < r.Asked {
			delete(r.Early, m)
		}
	}
	for m := range r.Prepares {
		if past(m, PrePrepared) {
			delete(r.Prepares, m)
		}
	}
	for m := range r.Commits {
		if past(m, Prepared) {
			delete(r.Commits, m)
		}
	}
	for view := range r.Changes {
		if !r.spec.Hears(r, view) {
			delete(r.Changes, view)
		}
	}
	if !r.spec.Heeds(r, r.View) {
		r.Slots = nil
	}
}

// count adds a sender to the senders of matching messages.
func count(log *map[PrePrepare]map[model.NodeID]bool, m PrePrepare, from model.NodeID) {
	if *log == nil {
		*log = map[PrePrepare]map[model.NodeID]bool{}
	}
	if (*log)[m] == nil {
		(*log)[m] = map[model.NodeID]bool{}
	}
	(*log)[m][from] = true
}
