// Package replay executes traces, step by step, in the simple interpreter of [contend/model/world].
//
// replay.go executes whole traces and replayer.go single steps. departure.go compares the run of a mutant with its
// protocol. explain.go words the reason that a step is not possible. watch.go, endless.go, fair.go and cost.go compare the end of the run with the trace.
package replay

import (
	"errors"
	"fmt"

	"contend/model"
	"contend/model/guard"
	"contend/model/world"
	"contend/traces"
)

// A Run is a trace, executed by the interpreter.
type Run struct {
	Trace   *traces.Trace
	Title   string              // of the variant, for people; "" of the protocol itself
	Watched []string            // the names of the monitored claims
	World   *world.World        // after the last step
	Parts   int64               // per tick, in the world's time
	Initial []*world.Event      // pending before the first step
	Holds   [][]world.Countdown // the holds of each node before the first step
	Records []world.Record      // of the steps, with node states before and after
	// Turns maps the name of a claim to the numbers of steps after which its state changes. The state is
	// whether the goal is reached, for a claim with a goal, and whether the claim was witnessed, for others. It
	// is false at first.
	Turns map[string][]int
	// Diverged is the first step that is not possible as recorded; nil if the trace is a run.
	Diverged *Divergence

	began    []model.Node // the result of [Run.First]
	protocol *model.Protocol
	claims   []model.Claim // the argument of the replay
}

// First returns the states of the nodes before the first step, nil for a node without state. The caller must
// not change them.
func (r *Run) First() []model.Node { return r.began }

// A Divergence is the first position in which a trace is not a run of its protocol.
type Divergence struct {
	Step int    // from 1; the number of steps plus one if the end differs
	Text string // a sentence that names the step and the reason
}

func (d *Divergence) Error() string { return d.Text }

// Replay executes the steps of a trace one by one. Each step must name one pending event that may happen at
// the step's instant. It must record exactly the choices that are made, and the value of the event. At the
// end the trace's claim must be violated. The first step that fails is returned as a [*Divergence], with the
// run before it. Any other error is bad input.
//
// The argument claims has the claims that may be monitored, a linearizable claim with its monitor; nil means
// the claims of the protocol. One run cannot violate a claim about all continuations of a state. For such a
// claim, Replay only checks that the last state is not at the goal.
func Replay(p *model.Protocol, t *traces.Trace, claims []model.Claim) (*Run, error) {
	return Guarded(p, t, claims, nil, nil)
}

// ErrStopped is the error of a replay that was stopped.
var ErrStopped = errors.New("the replay was stopped")

// Guarded is [Replay] that shows the running handler in a cell. The cell may be nil. If stop is not nil,
// Guarded calls it before each step, and returns [ErrStopped] once it returns true.
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

// Until is [Replay] of the first steps only. The number of steps must be at most the length of the trace. The
// end of the trace is not checked.
func Until(p *model.Protocol, t *traces.Trace, claims []model.Claim, step int) (*Run, error) {
	if step < 0 || step > len(t.Steps) {
		return nil, fmt.Errorf("state is %d, but must be 0, before the first step, to %d", step, len(t.Steps))
	}
	run, _, err := replayed(p, t, claims, step, nil, nil)
	return run, err
}

// replayed executes the first steps of a trace. A tick has the same parts as in the whole trace.
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
		rec, text := r.execute(s)
		if text != "" {
			if r.World.Steps > i { // the step was executed before it turned out to leave choices over
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

// Diverges returns the Divergence for a step that is not possible, with the reason.
func Diverges(number int, s traces.Step, why string) *Divergence {
	return &Divergence{number, fmt.Sprintf("step %d (%.200s): %s", number, s, why)}
}
