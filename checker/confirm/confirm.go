// Package confirm takes a way that the search found through the independent
// interpreter, and finds times for it where the reading keeps time. Nothing is
// reported as a violation that does not pass here.
package confirm

import (
	"bytes"
	"fmt"
	"slices"

	"contend/checker/search"
	"contend/checker/search/runs"
	"contend/model"
	"contend/model/describe"
	"contend/model/value"
	"contend/model/world"
)

// A Run is a way as the interpreter took it.
type Run struct {
	World   *world.World
	Parts   int64 // of a tick
	Records []world.Record
	// Absorbed gives the messages that the search deleted because nothing comes of
	// them, with the number of records from which on that is so: they must arrive after
	// those, and in time. One that is optional had, in a timed search, come too late.
	Absorbed map[*world.Event]int
	// dropped gives the events that a step took away, with the number of records up to it: until then
	// they forced what fires.
	dropped map[*world.Event]int
	timed   bool
	names   *names
	room    int64 // parts of a tick that are left for what happens after the way
	way     []int // the places in Records of the steps of the way
	// entry is the state at the step to which a lasso returns.
	entry []string
}

// Take runs the steps of a candidate and checks that they break its claim, or reach the
// goal of a Sometimes claim, and end in the states that the search says. Timed runs get the earliest times that their
// windows and holds allow, or those of the search: for a claim of probability, so that
// a round takes the same time whenever it is taken, and where the candidate is pinned to them; where there are none, the confirmation is
// [search.StrictBound] and the run nil. The error says where the interpreter and
// the search disagree.
func Take(s *model.System, codec *value.Codec, claims []model.Claim, timed bool, c search.Candidate) (*Run, search.Confirmation, error) {
	claims, c = Watched(claims, c)
	run, err := drive(s, codec, claims, c, world.Options{Trace: true}, nil)
	if err != nil {
		return nil, search.Real, err
	}
	if timed {
		if (claimOf(claims, c).Done || atEnd(claimOf(claims, c))) && run.unsettled() {
			run.room = roomToSettle
		}
		times, parts, ok := given(claims, c)
		if !ok {
			if times, parts, ok = earliest(run, c); !ok {
				return nil, search.StrictBound, nil
			}
			times = run.onWay(times)
		}
		if run, err = drive(s, codec, claims, c, world.Options{Timed: true, Parts: parts, Trace: true}, times); err != nil {
			return nil, search.Real, err
		}
	}
	if claimOf(claims, c).Done && claimOf(claims, c).Kind == model.Always || atEnd(claimOf(claims, c)) {
		if err := run.settle(); err != nil {
			return nil, search.Real, err
		}
	}
	return run, search.Real, verify(run, claims, c)
}

// Watched returns the claims that the search of a candidate watched, and the candidate as it
// is among them.
func Watched(claims []model.Claim, c search.Candidate) ([]model.Claim, search.Candidate) {
	if c.Alone {
		claims, c.Claim = claims[c.Claim:c.Claim+1], 0
	}
	return claims, c
}

// claimOf is the claim that a candidate breaks: one of those that are watched, or, behind them, the
// one that no handler fails.
func claimOf(claims []model.Claim, c search.Candidate) model.Claim {
	if c.Claim == len(claims) {
		return model.Claim{Name: model.NoHandlerFails, Kind: model.Always}
	}
	return claims[c.Claim]
}

// given are the times that the search gives the steps of a way, for a claim whose
// rounds must come back to the same time in every window.
func given(claims []model.Claim, c search.Candidate) (times []world.Time, parts int64, ok bool) {
	if claimOf(claims, c).Kind != model.AlmostSurely {
		return nil, 0, false
	}
	now := world.Time(0)
	for _, s := range c.Steps {
		now += world.Time(s.Delay)
		times = append(times, now)
	}
	return times, 1, true
}

// Drive takes the steps of a run without times.
func Drive(s *model.System, codec *value.Codec, claims []model.Claim, c search.Candidate) (*Run, error) {
	return drive(s, codec, claims, search.Candidate{Boot: c.Boot, Steps: c.Steps, InFlight: c.InFlight}, world.Options{Trace: true}, nil)
}

func drive(s *model.System, codec *value.Codec, claims []model.Claim, c search.Candidate, opt world.Options, times []world.Time) (*Run, error) {
	a, n := &answers{timed: opt.Timed}, newNames()
	opt.Boot, opt.HoldQueried, opt.Created, opt.Merged = a.next, a.asked, n.named, n.merged
	a.picks, a.booting = c.Boot, true
	w, err := world.Start(s, codec, claims, opt)
	if err == nil {
		err = a.rest()
	}
	if a.booting = false; err != nil {
		return nil, fmt.Errorf("as the run begins: %w", err)
	}
	run := &Run{World: w, Parts: max(opt.Parts, 1), Absorbed: n.absorbed, dropped: map[*world.Event]int{}, timed: opt.Timed, names: n}
	run.absorb(c, 0)
	run.enter(c, 0)
	for i, step := range c.Steps {
		m, err := n.find(w, step)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		at := world.Time(0)
		if times != nil {
			at = times[i]
			if err := run.flush(at); err != nil {
				return nil, fmt.Errorf("before step %d: %w", i+1, err)
			}
		}
		if err := run.clear(m); err != nil {
			return nil, fmt.Errorf("before step %d: %w", i+1, err)
		}
		a.picks = step.Picks
		clear(n.anew)
		before := w.Pending()
		r, err := w.Step(m, at, a.next)
		if err == nil {
			err = a.rest()
		}
		if err != nil {
			return nil, fmt.Errorf("step %d (%v at %s): %w", i+1, step.Kind, s.Name(step.Node), err)
		}
		run.way, run.Records = append(run.way, len(run.Records)), append(run.Records, r)
		run.drop(before)
		run.absorb(c, i+1)
		run.enter(c, i+1)
	}
	return run, nil
}

// drop notes what was pending before a move and is not after it: a message that was lost, an alarm that
// was cancelled or moved, what was a crashed node's. What fired is bound by its window anyway.
func (r *Run) drop(before []*world.Event) {
	after := r.World.Pending()
	for _, e := range before {
		if !e.Optional && !slices.Contains(after, e) {
			r.dropped[e] = len(r.Records)
		}
	}
}

// onWay picks the times of the steps of the way.
func (r *Run) onWay(times []world.Time) []world.Time {
	on := make([]world.Time, len(r.way))
	for i, at := range r.way {
		on[i] = times[at]
	}
	return on
}

// Behind is the number of records up to a step of the way, with what was discarded before it.
func (r *Run) Behind(steps int) int {
	if steps == 0 {
		return 0
	}
	return r.way[steps-1] + 1
}

// enter keeps the state after a step when the round of a lasso begins there.
func (r *Run) enter(c search.Candidate, step int) {
	if c.Loop == step {
		r.entry = r.World.State()
	}
}

// flush delivers what has to arrive before an instant and is not a step of the way:
// messages that the search absorbed because they do nothing.
func (r *Run) flush(before world.Time) error {
	w := r.World
	for {
		latest, open := w.Deadline()
		deadline := latest
		if open {
			latest--
		}
		if latest >= before {
			return nil
		}
		overdue := slices.IndexFunc(w.Pending(), func(e *world.Event) bool {
			_, absorbed := r.Absorbed[e]
			return absorbed && !e.Optional && e.Window.Hi.Open == open && e.Born+world.Time(int64(e.Window.Hi.At)*r.Parts) == deadline
		})
		if overdue < 0 {
			return fmt.Errorf("time passes %d, when something had to happen that the search did not absorb", latest)
		}
		if err := r.discard(w.Pending()[overdue], latest); err != nil {
			return err
		}
	}
}

// clear delivers what stands before a message in its FIFO channel: the search has
// absorbed it.
func (r *Run) clear(m world.Move) error {
	w := r.World
	if m.Kind != model.Deliver || m.Event.Optional || w.System.Network.Channel != model.FIFO {
		return nil
	}
	for {
		first := slices.IndexFunc(w.Pending(), func(e *world.Event) bool {
			return e.Kind == model.Deliver && !e.Optional && e.From == m.Event.From && e.Node == m.Event.Node
		})
		e := w.Pending()[first]
		if e == m.Event {
			return nil
		}
		if _, absorbed := r.Absorbed[e]; !absorbed {
			return fmt.Errorf("%s stands before it in its channel", describe.Value(e.Value, w.System.Name))
		}
		earliest, _, _ := w.Fires(e)
		if err := r.discard(e, earliest); err != nil {
			return err
		}
	}
}

// discard delivers a message that does nothing, or that is only answered with
// messages that will do nothing.
func (r *Run) discard(e *world.Event, at world.Time) error {
	w := r.World
	was := w.Node(e.Node)
	r.names.absorbing = true
	rec, err := w.Step(world.Move{Kind: model.Deliver, Event: e}, at, func(int, string) int { return 0 })
	r.names.absorbing = false
	if err != nil {
		return err
	}
	if !bytes.Equal(was, w.Node(e.Node)) || len(rec.Observations)+len(rec.Choices)+len(rec.Armed) > 0 {
		return fmt.Errorf("the search absorbed %s, but it does something", describe.Value(e.Value, w.System.Name))
	}
	for _, answer := range rec.Sent {
		r.Absorbed[answer] = r.Absorbed[e]
	}
	r.Records = append(r.Records, rec)
	return nil
}

// absorb notes the messages that are in flight in the world after a step but not in
// the search; step 0 is the start.
func (r *Run) absorb(c search.Candidate, step int) {
	if step >= len(c.InFlight) {
		return
	}
	flight := flightOf(c.InFlight[step])
	for _, e := range r.World.Pending() {
		if e.Kind != model.Deliver {
			continue
		}
		if r.names.in(flight, e) {
			delete(r.Absorbed, e)
			continue
		}
		if _, known := r.Absorbed[e]; !known {
			r.Absorbed[e] = len(r.Records)
		}
	}
}

// answers hands a step's picks to the interpreter. The two ask the same questions
// in the same order; only the answers about holds are the interpreter's own where it
// keeps time, or where the hold is not set.
type answers struct {
	picks   []runs.Pick
	timed   bool
	booting bool // the run begins
	err     error
}

func (a *answers) pop(held bool, n int) runs.Pick {
	if len(a.picks) == 0 {
		a.err = fmt.Errorf("the interpreter asks for one of %d, and the search has no answer", n)
		return runs.Pick{}
	}
	p := a.picks[0]
	a.picks = a.picks[1:]
	if p.Of != n || p.Held != held {
		a.err = fmt.Errorf("the interpreter asks for one of %d, the search answered one of %d", n, p.Of)
	}
	return p
}

func (a *answers) next(n int, what string) int { return a.pop(what == "held", n).Is }

func (a *answers) asked(set bool) {
	if a.booting || a.timed || !set {
		a.pop(true, 2)
	}
}

// rest reports an answer that went wrong, or one that was never asked for.
func (a *answers) rest() error {
	if a.err == nil && len(a.picks) > 0 {
		a.err = fmt.Errorf("the search gave %d answers that the interpreter does not ask for", len(a.picks))
	}
	return a.err
}

// verify checks that a run breaks the claim and ends as the search says.
func verify(run *Run, claims []model.Claim, c search.Candidate) error {
	w, claim := run.World, claimOf(claims, c)
	for i, want := range c.Nodes {
		if got := w.Node(model.NodeID(i)); !bytes.Equal(got, want) {
			return fmt.Errorf("after %d steps node %s is in another state", len(c.Steps), w.System.Name(model.NodeID(i)))
		}
	}
	switch claim.Kind {
	case model.Eventually, model.PossibleFromEverywhere, model.AlmostSurely:
		if w.Reached(claim) {
			return fmt.Errorf("claim %s: the goal is reached after all", claim.Name)
		}
		if run.entry != nil && !slices.Equal(run.entry, w.State()) {
			return fmt.Errorf("claim %s: the round from step %d does not come back to where it began", claim.Name, c.Loop)
		}
		if claim.Kind == model.AlmostSurely && c.Loop < 0 {
			return stopped(w, claim)
		}
		return nil
	case model.Sometimes:
		if !w.Reached(claim) {
			return fmt.Errorf("claim %s: the goal is not reached after %d steps", claim.Name, len(c.Steps))
		}
		return nil
	case model.Measured:
		return comesTo(w, claim, c)
	}
	if claim.Name == model.NoHandlerFails {
		w.Forgeries() // it may be Forge that fails
	}
	for _, v := range w.Violations {
		if v.Claim == claim.Name && v.Step >= len(c.Steps) {
			return nil
		}
	}
	return fmt.Errorf("claim %s is not violated after %d steps", claim.Name, len(c.Steps))
}

// stopped checks that nothing has to happen any more.
func stopped(w *world.World, claim model.Claim) error {
	for _, e := range w.Pending() {
		if !e.Optional {
			return fmt.Errorf("claim %s: the run is to end, but %v at %s is pending", claim.Name, e.Kind, w.System.Name(e.Node))
		}
	}
	return nil
}
