package sigma

import (
	"fmt"
	"maps"
	"slices"

	"contend/model"
)

// obsolete checks Lemma 5: once a client has crashed or entered its exit section, "for every server rj, there is a time
// after which (ci, ti) no longer appears in (cowner, towner)". The number of requests is finite. So in the end no
// server supports a finished request.
type obsolete struct {
	Current map[model.NodeID]int     // of clients: the timestamp of the epoch
	Owner   map[model.NodeID]Request // of servers
}

func (l *obsolete) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Released, model.Crashed:
		delete(l.Current, o.Node)
		delete(l.Owner, o.Node)
	case model.Noted:
		switch n := o.Value.(type) {
		case Tries:
			l.Current[o.Node] = n.T
		case Owns:
			l.Owner[o.Node] = n.Owner
			if n.Owner.T == 0 {
				delete(l.Owner, o.Node)
			}
		}
	}
}

// Misses returns a line for each server that supports a finished request.
func (l *obsolete) Misses(name func(model.NodeID) string) (all []string) {
	for server, r := range l.Owner {
		if l.Current[r.Client] != r.T {
			all = append(all, fmt.Sprintf("%s supports request %d of %s, which is over", name(server), r.T, name(r.Client)))
		}
	}
	slices.Sort(all)
	return all
}

func (l *obsolete) Reached() bool {
	for _, r := range l.Owner {
		if l.Current[r.Client] != r.T {
			return false
		}
	}
	return true
}

// answered checks Lemma 7 for one client and the first server. While the client is in its trying section and the server
// is correct, resp[j] is at some time not (nil, nil) after each request.
type answered struct {
	client, server model.NodeID
	Waits          bool // the client has sent a request, and resp[j] is (nil, nil)
	Faulty         bool // the server was down in the trying section
	Down           bool
}

func watchAnswered(client func(clients []model.NodeID) model.NodeID) func(*model.System) model.Monitor {
	return func(s *model.System) model.Monitor {
		cfg := setup(s)
		return &answered{client: client(cfg.Clients), server: cfg.Servers[0]}
	}
}

func (l *answered) Observe(_ model.Watch, o model.Observation) {
	switch {
	case o.Node == l.server && o.Kind == model.Crashed:
		l.Down, l.Faulty = true, true
	case o.Node == l.server && o.Kind == model.Recovered:
		l.Down = false
	case o.Node != l.client:
	case o.Kind == model.Crashed:
		l.Waits = false
	case o.Kind == model.Noted:
		switch n := o.Value.(type) {
		case Tries:
			l.Waits, l.Faulty = true, l.Down
		case Heard:
			l.Waits = l.Waits && n.Server != l.server
		case Granted:
			l.Waits = false
		case Asks:
			l.Waits = true
		}
	}
}

func (l *answered) Reached() bool { return !l.Waits || l.Faulty }

// progress checks Lemma 8: "If a correct client is in its trying section at time t, then at some time t' > t some
// correct client is in its critical section."
type progress struct{ Trying, Inside map[model.NodeID]bool }

func (l *progress) Observe(_ model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Invoked:
		l.Trying[o.Node] = true
	case model.Returned:
		delete(l.Trying, o.Node)
		l.Inside[o.Node] = true
	case model.Released, model.Crashed:
		delete(l.Trying, o.Node)
		delete(l.Inside, o.Node)
	}
}

func (l *progress) Reached() bool { return len(l.Trying) == 0 || len(l.Inside) > 0 }

// leaving checks Lemma 9: "If a correct client requests to leave the critical section, then at some time later it
// enters its remainder section."
type leaving struct{ Exit map[model.NodeID]bool }

func (l *leaving) Observe(w model.Watch, o model.Observation) {
	_, rem := o.Value.(Rem)
	switch {
	case o.Kind == model.Released:
		w.Witness()
		l.Exit[o.Node] = true
	case o.Kind == model.Crashed, o.Kind == model.Noted && rem:
		delete(l.Exit, o.Node)
	}
}

func (l *leaving) Reached() bool { return len(l.Exit) == 0 }

// Misses returns a line for each client in its exit section.
func (l *leaving) Misses(name func(model.NodeID) string) (all []string) {
	for id := range l.Exit {
		all = append(all, name(id)+" has left the section, but not reached its remainder section")
	}
	slices.Sort(all)
	return all
}

// overtaking checks the eventually fair order of sequence numbers. A client waits with a request that all servers know.
// Another client with an earlier request enters at most as often as it has requests before that request. Another client
// with a later request enters at most once. At most k requests of another client are before the k-th request of a
// client.
type overtaking struct {
	servers int
	Waiting map[model.NodeID]Waiter
}

// A Waiter is a client in its trying section.
type Waiter struct {
	Request   Request
	Op        int                   // the index of its request, from 1
	Known     map[model.NodeID]bool // the servers that know the request
	Overtaken map[model.NodeID]int  // the entries of each client since all servers know the request
}

func (l *overtaking) Observe(w model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Crashed:
		delete(l.Waiting, o.Node)
	case model.Invoked:
		l.Waiting[o.Node] = Waiter{Op: o.Op + 1}
	case model.Noted:
		switch n := o.Value.(type) {
		case Tries:
			l.Waiting[o.Node] = Waiter{Request: Request{o.Node, n.T}, Op: l.Waiting[o.Node].Op}
		case Known:
			l.known(o.Node, n.Request)
		case Granted:
			delete(l.Waiting, o.Node)
			l.granted(w, o.Node)
		}
	}
}

func (l *overtaking) known(server model.NodeID, r Request) {
	if e, ok := l.Waiting[r.Client]; ok && e.Request == r {
		if e.Known == nil {
			e.Known, e.Overtaken = map[model.NodeID]bool{}, map[model.NodeID]int{}
		}
		e.Known[server] = true
		l.Waiting[r.Client] = e
	}
}

func (l *overtaking) granted(w model.Watch, c model.NodeID) {
	for _, waits := range slices.Sorted(maps.Keys(l.Waiting)) {
		e := l.Waiting[waits]
		if len(e.Known) < l.servers {
			continue
		}
		w.Witness()
		if e.Overtaken[c]++; e.Overtaken[c] > e.Op {
			w.Violate("it enters %d times while request %d of another client, known to all servers, waits", e.Overtaken[c], e.Op)
		}
	}
}
