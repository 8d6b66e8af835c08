package replay

import (
	"bytes"
	"slices"

	"contend/model"
	"contend/model/world"
)

// Sooner reports whether the run still violates its claim if one message arrives sooner. It replays the run up
// to the step, from 1. The step must be later than the message's sending. Then it delivers the message, and
// executes the rest in order with the recorded choices. Steps that are no longer possible are skipped. Ok is
// false if the message cannot arrive there.
func (r *Run) Sooner(message *world.Event, step int) (breaks, ok bool) {
	on, _, err := replayed(r.protocol, r.Trace, r.claims, step-1, nil, nil)
	if err != nil {
		return false, false
	}
	f := &sooner{was: r, world: on.World, steps: make([]int, step)}
	for i := range f.steps {
		f.steps[i] = i
	}
	first := world.Record{Move: world.Move{Kind: model.Deliver, Event: message}, At: r.Records[step-1].At}
	arrives := func(rec world.Record) bool { return rec.Move.Kind == model.Deliver && rec.Move.Event == message }
	if i := slices.IndexFunc(r.Records, arrives); i >= 0 {
		first.Choices = r.Records[i].Choices
	}
	if !f.execute(first, -1) {
		return false, false
	}
	for i, rec := range r.Records[step-1:] {
		if !f.breaks() && !arrives(rec) {
			f.execute(rec, step+i)
		}
	}
	return f.breaks(), true
}

// sooner executes the steps of a run in another world.
type sooner struct {
	was   *Run
	world *world.World
	steps []int // by step of this world: the corresponding step of the run, or -1
}

// breaks reports whether the claim of the run is violated.
func (f *sooner) breaks() bool {
	return slices.ContainsFunc(f.world.Violations, func(v world.Violation) bool { return v.Claim == f.was.Trace.Claim })
}

// execute executes a step of the run, as near to its instant as its window allows. It reports false if the
// step is not possible.
func (f *sooner) execute(rec world.Record, step int) bool {
	m, instant := rec.Move, max(rec.At, f.world.Now)
	if m.Event != nil {
		if m.Event = f.event(m); m.Event == nil {
			return false
		}
		if !m.Kind.Adversarial() {
			earliest, latest, _ := f.world.Fires(m.Event) // Step refuses an event that cannot fire
			instant = min(max(instant, earliest), latest)
		}
	}
	if step < 0 && instant != rec.At {
		return false
	}
	given := rec.Choices
	_, err := f.world.Step(m, instant, func(n int, what string) int {
		for i, c := range given {
			if c.What == what {
				given = given[i+1:]
				return min(c.Is, n-1)
			}
		}
		return 0
	})
	if err == nil {
		f.steps = append(f.steps, step)
	}
	return err == nil
}

// event returns the event that corresponds to the event of a move, or nil. It has the same name and value. One
// that the corresponding step created is preferred.
func (f *sooner) event(m world.Move) (found *world.Event) {
	original := m.Event
	want := f.world.Codec.Any(original.Value, nil)
	for _, e := range f.world.Pending() {
		if e.Node != original.Node || e.From != original.From || e.Op != original.Op || e.Monitor != original.Monitor || !becomes(m.Kind, e) || !bytes.Equal(f.world.Codec.Any(e.Value, nil), want) {
			continue
		}
		if f.steps[e.BornStep] == original.BornStep {
			return e
		}
		if found == nil {
			found = e
		}
	}
	return found
}
