package show

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// State writes the last state of a run: each node with its application and holds, the monitor of the trace's
// claim, the pending events, and the remaining faults. Zero and empty fields are omitted.
func State(w io.Writer, run *replay.Run, style Style) error {
	t := texter{run: run}
	s := t.snapshot()
	return s.Write(w, style)
}

// A Snapshot is the text of a state.
type Snapshot struct {
	When    string `json:"when"`
	Nodes   []Fact `json:"nodes"`
	Pending []Fact `json:"pending,omitempty"`
	Left    string `json:"left,omitempty"`  // the remaining faults
	Waits   []Fact `json:"waits,omitempty"` // what each node waits for, if a goal is not reached
}

// Write writes the snapshot in the layout of [State].
func (s *Snapshot) Write(w io.Writer, style Style) error {
	p := printer{Style: style}
	p.state(s)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// When returns a text for the state after a step, with the time in ticks; now is "" if the run is untimed.
func When(step int, now string) string {
	when := fmt.Sprintf("after step %d", step)
	if step == 0 {
		when = "before the first step"
	}
	if now != "" {
		when += ", at " + now
	}
	return when
}

func (t *texter) snapshot() Snapshot {
	w := t.run.World
	now := ""
	if t.run.Trace.Timed() {
		now = traces.Ticks(w.Now, t.run.Parts)
	}
	s := Snapshot{When: When(w.Steps, now), Nodes: t.statuses(), Pending: t.pending()}
	s.Left = RemainingFaults(w.Budget())
	return s
}

// RemainingFaults lists the faults of a budget, or returns "".
func RemainingFaults(f model.Faults) string {
	var parts []string
	for _, b := range []struct {
		count     int
		one, many string
	}{
		{f.Loss, "loss", "losses"}, {f.Duplication, "duplication", "duplications"}, {f.Crashes, "crash", "crashes"},
		{f.Restarts, "crash with a restart", "crashes with restarts"}, {f.Suspicions, "false suspicion", "false suspicions"},
		{f.Partitions, "partition", "partitions"},
	} {
		if b.count > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", b.count, b.many))
		} else if b.count == 1 {
			parts = append(parts, "1 "+b.one)
		}
	}
	return strings.Join(parts, ", ")
}

// A Status is the state of a node or a monitor, as text.
type Status struct {
	Who             string
	Byzantine, Down bool
	Fields          []describe.Field // without zero and empty fields; none if the node is down or Byzantine
	Also            []string         // holds, and the progress of the application
}

// Statuses returns the status of each node, and then of each monitor whose status is not empty.
func Statuses(run *replay.Run) []Status {
	t := texter{run: run}
	all := t.nodes()
	for _, claim := range run.Watched {
		if s, ok := t.monitor(claim); ok {
			all = append(all, s)
		}
	}
	return all
}

// nodes returns the status of each node.
func (t *texter) nodes() (all []Status) {
	w := t.run.World
	for i, spec := range w.System.Nodes {
		status := w.Status(model.NodeID(i))
		s := t.status(spec.Name, status)
		s.Byzantine, s.Down = spec.Byzantine, status.Down
		if progress := t.application(model.NodeID(i), status); progress != "" {
			s.Also = append(s.Also, progress)
		}
		all = append(all, s)
	}
	return all
}

// monitor returns the status of a claim's monitor. It reports false if there is none or it is empty.
func (t *texter) monitor(claim string) (s Status, ok bool) {
	status, _ := t.run.World.MonitorStatus(claim)
	s = t.status("monitor of "+claim, status)
	return s, len(s.Fields)+len(s.Also) > 0
}

// status returns a status with fields and holds.
func (t *texter) status(who string, s world.Status) Status {
	out := Status{Who: who, Fields: describe.Fields(s.State, t.name)}
	for _, h := range s.Holds {
		if text := t.countdown(h, s.Holds); text != "" {
			out.Also = append(out.Also, text)
		}
	}
	return out
}

// statuses returns the facts on all nodes, and on the monitor of the trace's claim.
func (t *texter) statuses() (facts []Fact) {
	for _, s := range t.nodes() {
		facts = append(facts, Fact{s.Who, cmp.Or(s.String(), "nothing set")})
	}
	if s, ok := t.monitor(t.run.Trace.Claim); ok {
		facts = append(facts, Fact{"monitor", s.String()})
	}
	return facts
}

// String returns the status in a line, or "" if it is empty.
func (s Status) String() string {
	var all []string
	switch {
	case s.Byzantine:
		all = []string{"Byzantine"}
	case s.Down:
		all = []string{"down"}
	}
	for _, f := range s.Fields {
		all = append(all, f.Name+": "+f.Is)
	}
	return strings.Join(append(all, s.Also...), "; ")
}

// countdown describes a hold. Under clock drift a hold is two countdowns; the later one's text includes the
// earlier one.
func (t *texter) countdown(h world.Countdown, all []world.Countdown) string {
	drift := ""
	switch key := h.Key.(type) {
	case model.Soonest:
		return ""
	case model.Latest:
		h.Key = key.Hold
		drift = ", or less by a clock that drifts"
		i := slices.IndexFunc(all, func(other world.Countdown) bool { return reflect.DeepEqual(other.Key, model.Soonest(key)) })
		if i >= 0 {
			drift = ", or by a clock that drifts only " + t.end(all[i])
		}
	}
	hold := "the hold " + t.value(h.Key)
	if !t.run.Trace.Timed() {
		return fmt.Sprintf("%s of step %d may last", hold, h.Step)
	}
	return hold + " lasts " + t.end(h) + drift
}

// end describes the end of a countdown.
func (t *texter) end(h world.Countdown) string {
	end := traces.Ticks(h.Since+world.Time(int64(h.Length.At)*t.run.Parts), t.run.Parts)
	if h.Length.Open {
		return "until before " + end
	}
	return "through " + end
}

// application describes the progress of a node's script.
func (t *texter) application(id model.NodeID, s world.Status) string {
	script := t.run.World.System.Nodes[id].Script
	if len(script) == 0 {
		return ""
	}
	progress := fmt.Sprintf("%d of %d", s.Begun, len(script))
	switch {
	case s.Begun == 0:
		return "has invoked nothing yet"
	case s.Runs:
		return fmt.Sprintf("runs operation %s, %s", progress, t.value(script[s.Begun-1].Call))
	}
	return "has invoked " + progress + " operations"
}

// A PendingEvent is a pending event with texts for its location and itself. In a timed run the text has its
// window.
type PendingEvent struct {
	Event     *world.Event
	Who, Text string
}

// Pending returns the pending events at the end of a run, oldest first.
func Pending(run *replay.Run) (all []PendingEvent) {
	t := texter{run: run}
	for _, e := range run.World.Pending() {
		m := world.Move{Kind: e.Kind, Event: e}
		w := PendingEvent{e, t.location(m), t.event(m)}
		if e.Optional {
			w.Text += ", or not"
		}
		if run.Trace.Timed() {
			w.Text += " in " + replay.DueOf(e, run.Parts).String(run.Parts)
		}
		all = append(all, w)
	}
	return all
}

// pending returns the facts on pending events.
func (t *texter) pending() (facts []Fact) {
	for _, w := range Pending(t.run) {
		facts = append(facts, Fact{w.Who, w.Text})
	}
	return facts
}

// waits returns the facts on nodes whose operation has not returned: the pending events at the node and the
// messages from it.
func (t *texter) waits() (facts []Fact) {
	w := t.run.World
	for i, spec := range w.System.Nodes {
		id := model.NodeID(i)
		s := w.Status(id)
		if !s.Runs {
			continue
		}
		text := fmt.Sprintf("waits since step %d for the end of %s; ", t.lastInvocation(id), t.value(spec.Script[s.Begun-1].Call))
		if close := t.concerning(id); len(close) > 0 {
			text += strings.Join(close, "; ")
		} else {
			text += "nothing that is pending is for it or from it"
		}
		facts = append(facts, Fact{spec.Name, text})
	}
	return facts
}

// concerning lists the pending events at a node, and the messages from it.
func (t *texter) concerning(id model.NodeID) (all []string) {
	for _, e := range t.run.World.Pending() {
		what := t.event(world.Move{Kind: e.Kind, Event: e})
		switch {
		case e.Kind == model.Deliver && e.Node == id:
			all = append(all, "pending: "+what+" from "+t.name(e.From))
		case e.Kind == model.Deliver && e.From == id:
			all = append(all, "pending: "+what+" at "+t.name(e.Node))
		case e.Node == id: // the alarm of a monitor has no node
			all = append(all, "pending: "+what)
		}
	}
	return all
}

// lastInvocation returns the step in which a node's last operation began.
func (t *texter) lastInvocation(id model.NodeID) (step int) {
	for i, r := range t.run.Records {
		if r.Move.Kind == model.Invoke && r.Node == id {
			step = i + 1
		}
	}
	return step
}
