package naimithiare

import (
	"slices"

	"contend/impl/mutex"
	"contend/model"
)

// A Couple is a request: "(j, h_j) where j is the process P_j and h_j is the timestamp request".
type Couple struct {
	J model.NodeID
	H int
}

// REQ asks for the token: "This message is sent to all others process to obtain the token."
type REQ struct{ Q []Couple }

// TOKEN is "the permission to enter the critical section".
type TOKEN struct {
	Q []Couple
	T []int
}

// A Process has the local variables of the text.
type Process struct {
	cfg     *mutex.Peers
	R       []int    // "R_i[k] is the last request time sent by process P_k and received by P_i"
	T       []int    // "T[i] denotes the last timestamp critical section execution by process P_i"
	Q       []Couple // "Waiting Fifo queue"
	HT      bool     // "true if process P_i holds the token"
	InCS    bool     // "true if process P_i is in the critical section"
	Waiting bool     // it "waits for the token"
}

// Start gives the token to one process.
func (p *Process) Start(env model.Env) {
	p.R, p.T = make([]int, len(p.cfg.Processes)), make([]int, len(p.cfg.Processes))
	p.HT = env.Self() == p.cfg.Holder
}

// Invoke implements rules 1 and 4.
func (p *Process) Invoke(env model.Env, op any) {
	switch op.(type) {
	case mutex.Acquire:
		p.request(env, env.Self())
	case mutex.Release:
		p.release(env, env.Self())
	}
}

// Receive implements rules 2 and 3.
func (p *Process) Receive(env model.Env, _ model.NodeID, m any) {
	switch m := m.(type) {
	case REQ:
		p.requested(env, m.Q)
	case TOKEN:
		p.granted(env, m.Q, m.T)
	}
}

// request implements "Rule 1: P_i requests the critical section".
func (p *Process) request(env model.Env, i model.NodeID) {
	if p.HT { // "If (HT_i ≠ False)", where it must be: if not
		p.enter(env) // "it enters its critical section without sending the message"
		return
	}
	p.R[i]++                                 // "R_i[i] ← R_i[i]+1"
	p.Q = append(p.Q, Couple{i, p.R[i]})     // "Q_i ← Q_i*(i, R_i[i])"
	env.Broadcast(p.cfg.Others(i), REQ{p.Q}) // "For all k Send REQ (Q_i) To P_k"
	p.Q, p.Waiting = nil, true               // "Q_i ← [ ]", "and waits for the token"
}

// requested implements "Rule 2: P_i receives REQ (Q)".
func (p *Process) requested(env model.Env, q []Couple) {
	fresh := p.without(q, p.known)                 // "it deletes from Q and Q_i all obsolete messages"
	p.learn(fresh)                                 // "For all k ∈ Q_i R_i[k] ← max (R_i[k], R[k])"
	p.Q = append(p.without(p.Q, p.past), fresh...) // "Q_i ← Q_i*Q"
	p.R[env.Self()] = slices.Max(p.R)              // "R_i[i] ← max (R_i[k])"
	if p.HT {
		p.serve(env) // "A process P_i holding the idle token, sends it"
	}
}

// granted implements "Rule 3: P_i receives TOKEN (Q, T)".
func (p *Process) granted(env model.Env, q []Couple, t []int) {
	p.HT, p.T = true, t // "HT_i ← True"
	for k := range p.R {
		p.R[k] = max(p.R[k], t[k]) // "For all k R_i[k] ← max (R_i[k], T[k])"
	}
	p.learn(q)                    // from rule 2; rule 3 lacks it
	own := p.without(p.Q, p.past) // "it deletes from Q_i all obsolete messages"
	own = slices.DeleteFunc(own, func(c Couple) bool { return holds(q, c.J) })
	p.Q = slices.Concat(q, own) // "Q_i ← Q_i*Q"
	p.note(env)
	if p.Waiting { // false only if a channel delivers the token twice
		p.enter(env)
	}
}

// enter enters the section: "InCS_i ← True".
func (p *Process) enter(env model.Env) {
	p.Waiting, p.InCS = false, true
	env.Return(nil)
}

// release implements "Rule 4: P_i releases the critical section".
func (p *Process) release(env model.Env, i model.NodeID) {
	p.InCS = false  // "InCS_i ← False"
	p.T[i] = p.R[i] // "T[i] ← R_i[i]"
	p.serve(env)
}

// serve sends the idle token to the next process in the queue.
func (p *Process) serve(env model.Env) {
	p.note(env)
	if p.InCS || len(p.Q) == 0 { // "If (Next_i ≠ Nil) Then"
		return
	}
	next := p.Q[0].J                    // "Next_i ← Head (Q_i)"
	env.Send(next, TOKEN{p.Q[1:], p.T}) // "Q_i ← Remove (Head (Q_i)), Send TOKEN (Q_i, T) To Next_i"
	p.HT, p.Q = false, nil              // "HT_i ← False", "Q_i ← [ ]"
}

// learn updates R by the times of requests.
func (p *Process) learn(q []Couple) {
	for _, c := range q {
		p.R[c.J] = max(p.R[c.J], c.H)
	}
}

// known reports whether P_i has received this or a later request of its process, or the request was granted.
func (p *Process) known(c Couple) bool { return c.H <= p.R[c.J] || c.H <= p.T[c.J] }

// past reports whether P_i has received a later request of its process, or the request was granted.
func (p *Process) past(c Couple) bool { return c.H < p.R[c.J] || c.H <= p.T[c.J] }

// without returns the queue without obsolete requests. It calls obsolete for each request.
func (p *Process) without(q []Couple, obsolete func(Couple) bool) []Couple {
	return slices.DeleteFunc(slices.Clone(q), obsolete)
}

// note notes the queue of the holder for monitors.
func (p *Process) note(env model.Env) {
	var queue []model.NodeID
	for _, c := range p.Q {
		queue = append(queue, c.J)
	}
	env.Note(mutex.Waiting{Queue: queue})
}

func holds(q []Couple, j model.NodeID) bool {
	return slices.ContainsFunc(q, func(c Couple) bool { return c.J == j })
}
