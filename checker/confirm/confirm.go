// Package confirm replays candidates of the search in the independent interpreter, and solves for times if
// the run is timed. Only candidates that pass are reported as violations.
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

// A Run is a candidate's run in the interpreter.
type Run struct {
	World   *world.World
	Parts   int64 // fractions of a tick
	Records []world.Record
	// Absorbed maps messages that the search deleted as without effect to a number of records. The messages
	// must arrive after that many records, in time. In a timed search, an optional one has come too late.
	Absorbed map[*world.Event]int
	// dropped maps events that a step removed to the number of records then. Until then they bound the times
	// of other steps.
	dropped map[*world.Event]int
	timed   bool
	names   *names
	room    int64 // additional fractions of a tick for events after the candidate's steps
	way     []int // indices in Records of the candidate's steps
	// entry is the state at the beginning of a lasso's cycle.
	entry []string
}

// Take executes a candidate. It checks that the run breaks the claim, or reaches the goal of a Sometimes
// claim, and that its states are the search's. A timed run gets the earliest times that its windows and holds
// allow. It gets the search's times if the claim is one of probability, or the candidate is pinned: a cycle must always take the same time. If no times exist, the confirmation is [search.StrictBound] and
// the run nil. The error is a difference between interpreter and search.
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

// Watched returns the claims that a candidate's search watched, and the candidate relative to these.
func Watched(claims []model.Claim, c search.Candidate) ([]model.Claim, search.Candidate) {
	if c.Alone {
		claims, c.Claim = claims[c.Claim:c.Claim+1], 0
	}
	return claims, c
}

// claimOf returns the claim that a candidate breaks. The index after the last claim stands for the claim that no handler fails.
func claimOf(claims []model.Claim, c search.Candidate) model.Claim {
	if c.Claim == len(claims) {
		return model.Claim{Name: model.NoHandlerFails, Kind: model.Always}
	}
	return claims[c.Claim]
}

// given returns the search's times of a candidate's steps, if the claim is one of probability.
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

// Drive executes a candidate without times.
func Drive(s *model.System, codec *value.Codec, claims []model.Claim, c search.Candidate) (*Run, error) {
	return drive(s, codec, claims, search.Candidate{Boot: c.Boot, Steps: c.Steps, InFlight: c.InFlight}, world.Options{Trace: true}, nil)
}

func drive(s *model.System, codec *value.Codec, claims []model.Claim, c search.Candidate, opt world.Options, times []world.Time) (*Run, error) {
	a, n := &answers{timed: opt.Timed}, newNames()
	opt.Boot, opt.HoldQueried, opt.Created, opt.Merged = a.next, a.held, n.created, n.merged
	a.picks, a.booting = c.Boot, true
	w, err := world.Start(s, codec, claims, opt)
	if err == nil {
		err = a.unused()
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
		clear(n.remerged)
		before := w.Pending()
		r, err := w.Step(m, at, a.next)
		if err == nil {
			err = a.unused()
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

// drop records the events that a move removed: lost messages, cancelled or moved alarms, and events of a
// crashed node. The times of events that fired are bounded by their windows.
func (r *Run) drop(before []*world.Event) {
	after := r.World.Pending()
	for _, e := range before {
		if !e.Optional && !slices.Contains(after, e) {
			r.dropped[e] = len(r.Records)
		}
	}
}

// onWay returns the times of the candidate's steps.
func (r *Run) onWay(times []world.Time) []world.Time {
	on := make([]world.Time, len(r.way))
	for i, at := range r.way {
		on[i] = times[at]
	}
	return on
}

// Behind returns the number of records up to a step of the candidate, with discarded messages before it.
func (r *Run) Behind(steps int) int {
	if steps == 0 {
		return 0
	}
	return r.way[steps-1] + 1
}

// enter records the state at the beginning of a lasso's cycle.
func (r *Run) enter(c search.Candidate, step int) {
	if c.Loop == step {
		r.entry = r.World.State()
	}
}

// flush delivers the absorbed messages whose deadline is before an instant.
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

// clear delivers the absorbed messages before a message in its FIFO channel.
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

// discard delivers an absorbed message. The error reports an effect other than absorbed answers.
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

// absorb records the messages in flight that the search has deleted after a step; step 0 is the start.
func (r *Run) absorb(c search.Candidate, step int) {
	if step >= len(c.InFlight) {
		return
	}
	flight := flightOf(c.InFlight[step])
	for _, e := range r.World.Pending() {
		if e.Kind != model.Deliver {
			continue
		}
		if r.names.contains(flight, e) {
			delete(r.Absorbed, e)
			continue
		}
		if _, known := r.Absorbed[e]; !known {
			r.Absorbed[e] = len(r.Records)
		}
	}
}

// An answers answers the interpreter's questions with a step's picks. Interpreter and search ask the same
// questions in the same order. Only for holds the interpreter has its own answers, in timed runs and if the
// hold is not set.
type answers struct {
	picks   []runs.Pick
	timed   bool
	booting bool // during the boot
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

// next is called by the world for each choice of a handler.
func (a *answers) next(n int, what string) int { return a.pop(what == "held", n).Is }

// held is called by the world for each query of a hold. Set reports whether the hold is set.
func (a *answers) held(set bool) {
	if a.booting || a.timed || !set {
		a.pop(true, 2)
	}
}

// unused returns the first wrong answer as an error, or an error for unused answers.
func (a *answers) unused() error {
	if a.err == nil && len(a.picks) > 0 {
		a.err = fmt.Errorf("the search gave %d answers that the interpreter does not ask for", len(a.picks))
	}
	return a.err
}

// verify checks that a run breaks the claim and ends in the search's states.
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
		w.Forgeries() // Forge may be the failing handler
	}
	for _, v := range w.Violations {
		if v.Claim == claim.Name && v.Step >= len(c.Steps) {
			return nil
		}
	}
	return fmt.Errorf("claim %s is not violated after %d steps", claim.Name, len(c.Steps))
}

// stopped checks that no event must still happen.
func stopped(w *world.World, claim model.Claim) error {
	for _, e := range w.Pending() {
		if !e.Optional {
			return fmt.Errorf("claim %s: the run is to end, but %v at %s is pending", claim.Name, e.Kind, w.System.Name(e.Node))
		}
	}
	return nil
}
