// Package replay takes traces through the simple interpreter of [contend/model/world], one step after the
// other. replay.go is for whole traces, replayer.go takes single steps; explain.go says why a
// step cannot be, watch.go and the files beside it whether the run ends as its trace says.
package replay

import (
	"errors"
	"fmt"

	"contend/model"
	"contend/model/guard"
	"contend/model/world"
	"contend/traces"
)

// A Run is a trace as the interpreter took it.
type Run struct {
	Trace   *traces.Trace
	Title   string              // of the variant, in words; "" of the protocol itself
	Watched []string            // the claims that were watched, by name
	World   *world.World        // as the last step left it
	Parts   int64               // of a tick, in the world's time
	Initial []*world.Event      // pending before the first step
	Holds   [][]world.Countdown // of each node before the first step
	Records []world.Record      // of the steps taken, with node states before and after
	// Turns lists, by the names of watched claims, the numbers of steps after which a claim turns: first it is put to the
	// test or, of one with a goal, the goal is reached; then it is not any more, and so on.
	Turns map[string][]int
	// Diverged says where the trace stopped being a run; nil when it is one.
	Diverged *Divergence

	began    []model.Node // as [Run.First] lists them
	protocol *model.Protocol
	claims   []model.Claim // that the replay was given
}

// First lists the states of the nodes before the first step, nil for one that has none.
func (r *Run) First() []model.Node { return r.began }

// A Divergence is the first place where a trace is not a run of its protocol.
type Divergence struct {
	Step int    // from 1; one more than there are steps when the end is wrong
	Text string // a sentence that names the step
}

func (d *Divergence) Error() string { return d.Text }

// Replay takes the steps of a trace one by one. Each must name one pending event
// that may happen at its time, give just the answers that are asked for, and have
// the recorded value; in the end the claim that the trace names must be violated.
// The first step that fails is reported as a [*Divergence], with the run up to it;
// any other error is bad input.
//
// Claims are those of the protocol that can be watched, linearizable ones with the
// monitor that the caller gives them; nil stands for the protocol's own. A claim
// about all that can follow a state is not judged by one run: of a trace that names
// such a claim only the end is checked, where the goal must not be reached.
func Replay(p *model.Protocol, t *traces.Trace, claims []model.Claim) (*Run, error) {
	return Guarded(p, t, claims, nil, nil)
}

// ErrStopped is the error of a replay that was told to stop.
var ErrStopped = errors.New("the replay was stopped")

// Guarded is Replay that shows which handler runs. Stop, unless nil, is called before each step; where it returns true the replay ends with the
// error [ErrStopped].
func Guarded(p *model.Protocol, t *traces.Trace, claims []model.Claim, running *guard.Cell, stop func() bool) (*Run, error) {
	run, r, err := replayed(p, t, claims, len(t.Steps), running, stop)
	if err != nil {
		return run, err
	}
	if text := r.end(); text != "" {
		run.Diverged = &Divergence{len(t.Steps) + 1, "the trace ends, but " + text}
		return run, run.Diverged
	}
	return run, nil
}

// Until is Replay up to a step, in [0, the number of steps]: what comes later, and what
// the trace says of its end, is not looked at.
func Until(p *model.Protocol, t *traces.Trace, claims []model.Claim, step int) (*Run, error) {
	if step < 0 || step > len(t.Steps) {
		return nil, fmt.Errorf("state is %d, but must be 0, before the first step, to %d", step, len(t.Steps))
	}
	run, _, err := replayed(p, t, claims, step, nil, nil)
	return run, err
}

// replayed takes the first steps of a trace. The world counts as the times of the whole trace need it.
func replayed(p *model.Protocol, t *traces.Trace, claims []model.Claim, steps int, running *guard.Cell, stop func() bool) (*Run, *Replayer, error) {
	r, err := newReplay(p, t, claims, running, 1, false)
	if err != nil {
		return nil, nil, fmt.Errorf("trace: %w", err)
	}
	run := r.Begun(p, t, claims)
	r.look(0)
	r.rounds(0, nil)
	r.turn(run, 0)
	for i, s := range r.Trace.Steps[:steps] {
		if stop != nil && stop() {
			return run, r, ErrStopped
		}
		rec, text := r.take(s)
		if text != "" {
			if r.World.Steps > i { // it was taken before it was seen that an answer is left over
				if run, r, err = replayed(p, t, claims, i, running, stop); err != nil {
					return run, r, err
				}
			}
			run.Diverged = Diverges(i+1, s, text)
			return run, r, run.Diverged
		}
		run.Records = append(run.Records, rec)
		r.look(i + 1)
		r.rounds(i+1, &rec)
		r.turn(run, i+1)
	}
	return run, r, nil
}

// Diverges names a step that cannot be taken, and why.
func Diverges(number int, s traces.Step, why string) *Divergence {
	return &Divergence{number, fmt.Sprintf("step %d (%.200s): %s", number, s, why)}
}
