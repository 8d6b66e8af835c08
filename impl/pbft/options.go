package pbft

import "contend/model"

// options are different readings of the sources, and initial states of runs.
var options = []model.Variant{
	{
		Name: "no-joining", Title: "reading (pbft.tla): a replica asks for a view only when its timer expires, not because others do",
		Edit: define(noJoining{}), Unclaimed: []string{live}, Show: model.Check{Config: sized(2, 1, 2).With(Requests.Is(1)), Claims: safety},
	},
	{
		Name: "all-expire", Title: "reading: the primary of a view has a timer, too, and nobody asks because others do",
		Edit: define(allExpire{}), Show: model.Check{Config: sized(1, 1, 1), Claims: safety},
	},
	{
		Name: "next-view-only", Title: "reading (pbft.tla): a replica leaves a view for the next only",
		Edit: define(nextViewOnly{}), Unclaimed: []string{live}, Show: model.Check{Config: sized(1, 1, 1), Claims: safety},
	},
	{
		Name: "nearly-committed", Title: "runs begin when r1 and r2 have prepared a request, and r3 has accepted another",
		Edit: begins(nearly), Unclaimed: []string{unique, committed}, Show: model.Check{Config: sized(2, 1, 0), Claims: []string{safe, kept}},
	},
	{
		Name: "gap", Title: "runs begin when r1 and r2 have prepared a request with sequence number 2, nothing has number 1, and r2 has asked for view 1",
		Edit: begins(beyondGap), Unclaimed: []string{unique, committed}, Show: model.Check{Config: sized(2, 2, 0), Claims: []string{safe, kept, ordered}},
	},
}

type noJoining struct{ Spec }

// Joins returns false.
func (noJoining) Joins(*Config, int) bool { return false }

// Hears accepts only the messages that the primary of the view needs.
func (noJoining) Hears(r *Replica, view int) bool {
	return r.leads[view] && view > r.View && view >= r.Asked
}

type allExpire struct{ noJoining }

// Expires returns true.
func (allExpire) Expires(*Replica) bool { return true }

type nextViewOnly struct{ Spec }

// Expires allows one time-out in a view.
func (nextViewOnly) Expires(r *Replica) bool { return !r.leads[r.View] && r.Asked == r.View }

// MayEnter allows the next view only.
func (nextViewOnly) MayEnter(r *Replica, view int) bool { return view == r.View+1 }
