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
		Edit: begins(beyondGap), Unclaimed: []string{unique, committed, unforced}, Show: model.Check{Config: sized(2, 2, 0), Claims: []string{safe, kept, ordered}},
	},
	{
		Name: "gap-requested", Title: "runs begin where a request with sequence number 2 is prepared, nothing has number 1, and all have asked for view 1",
		Edit: func(s *model.System) {
			begins(gap)(s)
			expired(s, 3)
			cutPrepared(s)
		},
		Unclaimed: begun, Show: model.Check{Config: sized(2, 2, 0), Claims: []string{gapless}},
	},
	{
		Name: "accepting", Title: "runs begin when r1 and r2 have accepted a request of the faulty primary, and their prepares are late",
		Edit: accepting, Show: model.Check{Config: sized(2, 1, 0).With(Requests.Is(1)), Claims: []string{kept}},
	},
	{
		Name: "nearly-committed-1", Title: "runs begin when r0 and r2 have prepared a request, and r1, the primary of the next view, lies",
		Edit: begins(early), Unclaimed: []string{committed}, Show: model.Check{Config: sized(2, 1, 1).With(Requests.Is(1)), Claims: []string{safe, kept}},
	},
	{
		Name: "late-prepares", Title: "runs begin when all have asked for view 1, whose primary lies, and prepares of view 0 are late",
		Edit: lateVotes(func(m PrePrepare) any { return Prepare{m} }), Unclaimed: []string{unforced}, Show: model.Check{Config: sized(2, 1, 1), Claims: []string{unique}},
	},
	{
		Name: "late-commits", Title: "runs begin when all have asked for view 1, whose primary lies, and commits of view 0 are late",
		Edit: lateVotes(func(m PrePrepare) any { return Commit{m} }, first), Unclaimed: []string{unforced}, Show: model.Check{Config: sized(2, 1, 1).With(Requests.Is(1)), Claims: []string{committed}},
	},
	{
		Name: "requested", Title: "runs begin when all have asked for view 1, whose primary is correct, and a request may be proved to be prepared",
		Edit: awaiting, Unclaimed: []string{unforced}, Show: model.Check{Config: sized(2, 1, 0), Claims: []string{unique}},
	},
	{
		Name: "entered", Title: "runs begin when all have entered view 1, which has no request yet",
		Edit: entered, Unclaimed: begun, Show: model.Check{Config: sized(2, 1, 0).With(Requests.Is(1)), Claims: []string{live}},
	},
	{
		Name: "prepared-twice", Title: "runs begin when a request is prepared in view 0, and r1 and r2 have asked for view 1",
		Edit: func(s *model.System) {
			begins(twice)(s)
			cutPrepared(s)
		},
		Unclaimed: begun, Show: model.Check{Config: sized(3, 1, 0).With(Requests.Is(1)), Claims: []string{kept}},
	},
	{
		Name: "replaced", Title: "runs begin in view 1, when r3 has prepared a request in view 0, and r1 another in view 1",
		Edit: begins(replaced), Unclaimed: begun, Show: model.Check{Config: sized(3, 1, 0), Claims: []string{kept}},
	},
	{
		Name: "old-requests", Title: "runs begin in view 1, and the primary of view 2 lies: it has view-change messages for view 1",
		Edit: begins(later), Unclaimed: begun, Show: model.Check{Config: sized(3, 1, 2).With(Requests.Is(1)), Claims: []string{kept}},
	},
	{
		Name: "split", Title: "runs begin when some have asked for view 1 and others for view 2",
		Edit: begins(split), Unclaimed: begun, Show: model.Check{Config: sized(3, 1, 0).With(Requests.Is(1)), Claims: []string{forward}},
	},
	{
		Name: "first-view", Title: "a cut ends the runs when a replica has accepted a request, or entered a view",
		Edit: cutFirst, Show: model.Check{Config: sized(3, 1, 0).With(Requests.Is(1)), Claims: []string{unforced}},
	},
	{
		Name: "same-request", Title: "runs begin when r1 and r2 have prepared one request with two sequence numbers",
		Edit: begins(both(1, 1)), Unclaimed: begun, Show: model.Check{Config: sized(1, 2, 0), Claims: []string{replies}},
	},
	{
		Name: "two-requests", Title: "runs begin when r1 and r2 have prepared two requests",
		Edit: begins(both(1, 2)), Unclaimed: begun, Show: model.Check{Config: sized(1, 2, 0), Claims: []string{ordered}},
	},
}

// begun are the claims about what happened before these runs begin.
var begun = []string{committed, unforced}

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
