// Package live runs the nodes of a protocol as processes of this machine. They exchange messages by TCP, and alarms
// follow the machine's clock. Faults strike them. Then it judges the run: the logs of the nodes are held against the
// page, and the claims against the run at the instants at which it happened.
//
//   - live.go: the options and the result
//   - run.go, process.go: a run, and the processes of its nodes
//   - page.go: the system of a run that lasts
//   - node.go: a node, in its own process
//   - log.go: its log, which is its stable storage
//   - frame.go: what nodes and the hub exchange
//   - hub.go: the network
//   - faults.go: the instants of faults
//   - clock.go: the time of a run
//   - merge.go, judge.go: the run as the logs have it, and its claims
//   - predict.go: response times beside those of a simulation
package live

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"contend/checker/conform"
	"contend/model"
	"contend/model/world"
)

// Options has the options of a run.
type Options struct {
	// For is the length of the run, up to an hour.
	For time.Duration
	// Tick is the length of a tick, from a microsecond to a second.
	Tick time.Duration
	// Pace is the number of ticks within which an event happens that has no latest instant; at least 1.
	Pace int64
	// Late is the number of messages that take longer than the page permits, 0 to 255.
	Late int
	// Seed is that of the instants of faults, and of the draws of nodes and of the network. It does not determine a run,
	// since the machine decides too.
	Seed uint64
	// Dir is an empty directory for the logs.
	Dir string
	// Command returns the command that calls [Serve]. It is called for each start of a node.
	Command func() *exec.Cmd
	// Stop, unless nil, ends the run when it is closed. The logs so far are judged.
	Stop <-chan struct{}
}

// Bounds of times.
const (
	startTime = 30 * time.Second       // for the start of all nodes
	startsIn  = 100 * time.Millisecond // from the connection of all nodes to the start of the run
	endTime   = 30 * time.Second       // for the end of all nodes, after the end of the run
)

// share is the part of a message's window in which the hub delivers it. The rest is for the machine.
const share = 0.7

// errStopped is the error of a run that its caller stopped.
var errStopped = errors.New("interrupted")

// A Result is what a run showed.
type Result struct {
	Config model.Config // with the faults that happened
	Nodes  int          // processes
	Tally  Tally
	// Interrupted reports that the run was ended: its caller stopped it, or nodes did not end in time.
	Interrupted bool
	Logs        []string // the files
	// Validation is the result of the check of the logs against the page, without times. The page is the protocol
	// without the edits of a mutant.
	Validation *conform.Result
	// Foreign is a field or type in the logs of a mutant that the page does not have, so that the logs are not explained;
	// or "".
	Foreign string
	// Judged has the claims that were judged on the run with its times, and Violations what they came to.
	Judged     []string
	Violations []world.Violation
	// Cut is why claims could only be judged on the first steps of the run, or "".
	Cut string
	// Untimely is how the run of a mutant differs from the page in its times, or "".
	Untimely string
	// Assumptions has the assumptions on time that did not hold, a sentence each.
	Assumptions []string
	// Timely has the names of the claims among Judged that need assumptions on time.
	Timely   map[string]bool
	untimely int // the first step, from 1, before which an assumption on time did not hold; 0 if all did
	// Delays is what the messages took.
	Delays Delays
	// Responses has the response times of operations, in ticks, sorted.
	Responses []float64
	// Predicted has those of a simulation; none if there is no prediction.
	Predicted []float64
}

// Delays has how long messages took.
type Delays struct {
	Messages int
	Outside  int     // messages outside of their windows
	Longest  float64 // in ticks
}

// Excused reports whether a violation may come from an assumption on time that did not hold before it.
func (r *Result) Excused(v world.Violation) bool {
	return r.Timely[v.Claim] && r.untimely > 0 && v.Step >= r.untimely
}

// Broken reports whether the run is not a run of the page, or violates a claim all of whose assumptions held.
func (r *Result) Broken() bool {
	return r.Untimely != "" || r.Validation.Verdict == conform.NotExplained || r.Validation.Violated() ||
		slices.ContainsFunc(r.Violations, func(v world.Violation) bool { return !r.Excused(v) })
}

// Inconclusive reports whether the run was interrupted, a limit ended the check of the logs, the claims could not be
// judged on all of the run, or a violation is [Result.Excused].
func (r *Result) Inconclusive() bool {
	return !r.Broken() && (r.Validation.Verdict == conform.Inconclusive || r.Cut != "" || r.Interrupted || len(r.Violations) > 0)
}

// validate returns an error that names an option out of range.
func (o Options) validate() error {
	switch {
	case o.For <= 0 || o.For > time.Hour:
		return fmt.Errorf("for is %v, but must be more than 0 and at most an hour", o.For)
	case o.Tick < time.Microsecond || o.Tick > time.Second:
		return fmt.Errorf("tick is %v, but must be 1µs to 1s", o.Tick)
	case o.Pace < 1 || o.Pace > int64(model.MaxTicks):
		return fmt.Errorf("pace is %d, but must be 1 to %d", o.Pace, model.MaxTicks)
	case o.Late < 0 || o.Late > 255:
		return fmt.Errorf("late is %d, but must be 0 to 255", o.Late)
	}
	return nil
}
