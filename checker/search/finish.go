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

// This file has the end of a search.

// finishUp settles what depends on the whole state space.
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
	if !x.resumed && x.opt.From == nil { // else some handlers ran elsewhere
		r.Handlers = called.Handlers(x.Engine, r.Complete && !x.failures) // the continuation after a failure is unknown
	}
	x.observer.finish()
}

// leaveUnfollowed leaves open the claims whose monitor reached its limit in some state.
func (x *explorer) leaveUnfollowed() {
	x.lookUnfollowed()
	for claim, limit := range x.unfollowed {
		x.res.Claims[claim].Limit = decide.Limited(limit)
	}
}

// lookUnfollowed looks for such limits in the monitor states since the last call. After a checkpoint it also looks
// at the earlier states.
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

// limits records the limit of a claim's monitor, unless it is "". Of several limits it keeps the least.
func (x *explorer) limits(claim int, limit string) {
	if was, is := x.unfollowed[claim]; limit != "" && (!is || limit < was) {
		x.unfollowed[claim] = limit
	}
}

// leaveLocked leaves open what depends on states in which time cannot advance. An exact grid has more such states
// than real time, and only violations are taken from it.
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

// timeLock is the limit of a verdict that depends on states in which time cannot advance.
const timeLock = "time-lock"

// crowding returns how many times more likely two orbits have one key than two states have one print. The key of
// an orbit is the least of at most as many prints as orders of tied members were tried.
func (x *explorer) crowding() float64 {
	o := x.orders()
	k := float64(max(o.Servers, 1)) * float64(max(o.Clients, 1))
	return k * k / (2*k - 1)
}

// orders are the largest numbers of orders of tied members that were tried for one state: of servers, and of
// clients. The two are separate, since which of them are tried for the same state depends on the division of the
// work.
type orders struct{ Servers, Clients int }

// most returns the maximum of each.
func (o orders) most(servers, clients int) orders {
	return orders{max(o.Servers, servers), max(o.Clients, clients)}
}

// orders returns the maximum over all workers.
func (x *explorer) orders() orders {
	o := x.tried
	for _, s := range x.workers {
		tried := s.names.tried()
		o = o.most(tried.Servers, tried.Clients)
	}
	return o
}

// omission returns the expected number of states that were lost because two had one fingerprint. Of g generated
// states, d distinct, about d·(g−d/2)/2⁶⁴ are lost, or 2¹²⁸ with wide fingerprints.
func omission(distinct, generated int64, wide bool) float64 {
	d, g := float64(distinct), float64(max(generated, distinct))
	p := d * (g - d + d/2) / (1 << 32) / (1 << 32)
	if wide {
		p = p / (1 << 32) / (1 << 32)
	}
	return p
}

// wasCut reports whether a cut withheld some step.
func (x *explorer) wasCut() bool {
	for _, states := range x.res.Cut {
		if states > 0 {
			return true
		}
	}
	return false
}

// judgeHistories passes complete runs to the judge.
func (x *explorer) judgeHistories() {
	for _, key := range x.finals {
		if x.outside() != "" {
			x.called()
			x.res.Complete = false
			return // no claim holds then
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

// doubt calls the handlers again. Finer grids call the handlers of the search before. First it checks that
// invariants have changed no node.
func (x *explorer) doubt(beat func()) {
	for _, s := range x.workers {
		s.asked.MustBeUnchanged()
	}
	doubt.Ask(doubt.Search{Engine: x.Engine, Steps: x.generated.Load(), Stopped: x.stopped(), Often: !x.opt.Pure && !x.Refine.Exact}, beat)
}

// impurity calls the handlers again, and returns the error.
func (x *explorer) impurity() (err error) {
	defer guard.Caught(&err)
	x.doubt(func() {})
	return nil
}

// profile returns the text of [Result.Profile].
func (x *explorer) profile() string {
	p := profile.Search{Engine: x.Engine, Widths: x.res.Widths}
	for _, s := range x.workers {
		p.Lookups += s.Lookups
		p.Misses += int64(len(s.Reactions))
	}
	return p.Text()
}
