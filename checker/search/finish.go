package search

import (
	"fmt"

	"contend/checker/search/called"
	"contend/checker/search/decide"
	"contend/checker/search/doubt"
	"contend/checker/search/fingerprint"
	"contend/checker/search/profile"
	"contend/model"
	"contend/model/guard"
)

// What can be said at the end of a search, and what it leaves open.

// finishUp settles what can be said only of the whole state space.
func (x *explorer) finishUp() {
	x.afterwards(x.doubt)
	r := x.res
	r.States, r.HandlerCalls, r.Transitions = x.states, x.Calls, x.generated.Load()
	x.traversal.finish()
	for _, one := range x.reductions {
		r.Reductions = append(r.Reductions, one.used()...)
	}
	x.notes.finish()
	for i := range r.Claims {
		if n := r.Claims[i].Spurious; n > 0 && n < x.opt.MaxSpurious {
			x.refineClaim(i)
		}
	}
	for i, c := range x.claims {
		if c.Kind == model.Sometimes && !r.Claims[i].Reached && x.wasCut() {
			r.Claims[i].Limit = decide.Limited(decide.Cut)
		}
	}
	x.leaveUnfollowed()
	x.leaveFailed()
	x.leaveLocked()
	x.judgeHistories()
	x.settleCosts()
	r.Profile = x.profile
	if !x.resumed && x.opt.From == nil { // else some of what ran is not known here
		r.Handlers = called.Handlers(x.Engine, r.Complete && !x.failures) // what would come after a failure is not known
	}
	x.observer.finish()
}

// leaveUnfollowed leaves claims open whose monitor met a limit in some state, beyond which it does
// not follow what the claim speaks of.
func (x *explorer) leaveUnfollowed() {
	x.lookUnfollowed()
	for claim, limit := range x.unfollowed {
		x.res.Claims[claim].Limit = decide.Limited(limit)
	}
}

// lookUnfollowed looks for such limits in the states of monitors that were made since it looked last. A search
// that goes on from a checkpoint looks at those of before, too.
func (x *explorer) lookUnfollowed() {
	for ; x.lookedAt < len(x.Locals.Items); x.lookedAt++ {
		l := x.Locals.Items[x.lookedAt]
		if int(l.Slot) < x.N {
			continue
		}
		if _, follows := x.Protos[l.Slot].(model.Follower); follows {
			at := x.Codec.DecodeNode(x.Protos[l.Slot], []byte(l.Bytes))
			x.limits(x.claimOf[int(l.Slot)-x.N], at.(model.Follower).Limit())
		}
	}
}

// limits takes in a limit beyond which a claim is not followed, if it is one. Of several the least is told.
func (x *explorer) limits(claim int, limit string) {
	if was, is := x.unfollowed[claim]; limit != "" && (!is || limit < was) {
		x.unfollowed[claim] = limit
	}
}

// leaveLocked leaves open what rests on states in which time cannot go on. On an exact grid
// there are more of them than in real time, and only violations are taken from it.
func (x *explorer) leaveLocked() {
	if x.locked == 0 || x.Refine.Exact {
		return
	}
	for i, c := range x.claims {
		if o := &x.res.Claims[i]; c.Done && c.Kind == model.Always || o.Limit.Code == decide.Cut && !x.wasCut() {
			o.Limit = decide.Limited(timeLock)
		}
	}
	x.res.Notes = append(x.res.Notes, fmt.Sprintf("time cannot go on in %d states: what has to happen there in time cannot happen any more", x.locked))
}

// timeLock is the limit of a verdict that rests on states in which time cannot go on.
const timeLock = "time-lock"

// crowding is how many times likelier two orbits have one name than two states have one
// print: an orbit's is the least of as many prints as orders of tied members were tried,
// at most.
func (x *explorer) crowding() float64 {
	o := x.orders()
	k := float64(max(o.Servers, 1)) * float64(max(o.Clients, 1))
	return k * k / (2*k - 1)
}

// orders is how many orders of tied members were tried for one state, at most: of servers, and of clients. The two are
// counted apart, since who shares the work decides which are tried for the same state.
type orders struct{ Servers, Clients int }

// most is the most of each.
func (o orders) most(servers, clients int) orders {
	return orders{max(o.Servers, servers), max(o.Clients, clients)}
}

// orders are those that all workers tried.
func (x *explorer) orders() orders {
	o := x.tried
	for _, s := range x.workers {
		tried := s.names.tried()
		o = o.most(tried.Servers, tried.Clients)
	}
	return o
}

// omission is the expected number of states lost because two had one fingerprint:
// d distinct states among g generated are lost with probability about d·(g−d/2)/2⁶⁴, or
// 2¹²⁸ for wide fingerprints.
func omission(distinct, generated int64, wide bool) float64 {
	d, g := float64(distinct), float64(max(generated, distinct))
	p := d * (g - d + d/2) / (1 << 32) / (1 << 32)
	if wide {
		p = p / (1 << 32) / (1 << 32)
	}
	return p
}

// wasCut reports whether there was more to explore than the cuts let.
func (x *explorer) wasCut() bool {
	for _, states := range x.res.Cut {
		if states > 0 {
			return true
		}
	}
	return false
}

// judgeHistories hands runs to their ends to the judge.
func (x *explorer) judgeHistories() {
	for _, key := range x.finals {
		if x.outside() != "" {
			x.called()
			x.res.Complete = false
			return // nothing is said to hold
		}
		if err := x.judgeHistory(key); err != nil {
			for i, c := range x.claims {
				if c.Kind == model.Linearizable {
					x.dispute(i, err)
				}
			}
			return
		}
		x.res.Histories++
	}
}

func (x *explorer) judgeHistory(key fingerprint.Print) (err error) {
	defer disputed(&err)
	r := x.traversal.runTo(key)
	return x.opt.Judge(Candidate{Boot: r.Boot, Steps: r.Steps, InFlight: r.Flights, Loop: -1})
}

// doubt asks the handlers again: finer grids ask those of the search before. That invariants have changed no node is
// looked at first.
func (x *explorer) doubt(beat func()) {
	for _, s := range x.workers {
		s.asked.MustBeUnchanged()
	}
	doubt.Ask(doubt.Search{Engine: x.Engine, Steps: x.generated.Load(), Stopped: x.stopped(), Often: !x.opt.Pure && !x.Refine.Exact}, beat)
}

// impurity asks the handlers again, and returns what is found.
func (x *explorer) impurity() (err error) {
	defer guard.Caught(&err)
	x.doubt(func() {})
	return nil
}

// profile tells what splits states.
func (x *explorer) profile() string {
	p := profile.Search{Engine: x.Engine, Widths: x.res.Widths}
	for _, s := range x.workers {
		p.Lookups += s.Lookups
		p.Asked += int64(len(s.Reactions))
	}
	return p.Text()
}
