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

// State writes the whole state that a run has reached: every node with its application and its
// holds, the monitor of the claim that the trace is about, all that is pending, and what the
// environment may still do. Fields that are zero or empty are left out.
func State(w io.Writer, run *replay.Run, style Style) error {
	t := texter{run: run}
	s := t.stood()
	return s.Write(w, style)
}

// Stood is how everything stands after a step.
type Stood struct {
	When    string `json:"when"`
	Nodes   []Fact `json:"nodes"`
	Pending []Fact `json:"pending,omitempty"`
	Left    string `json:"left,omitempty"`  // the faults that may still happen
	Waits   []Fact `json:"waits,omitempty"` // who waits for what, where a goal is not reached
}

// Write writes it as [State] does.
func (s *Stood) Write(w io.Writer, style Style) error {
	p := printer{Style: style}
	p.stood(s)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// When names the state after a step, at a time in ticks; "" where none is kept.
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

func (t *texter) stood() Stood {
	w := t.run.World
	now := ""
	if t.run.Trace.Timed() {
		now = traces.Ticks(w.Now, t.run.Parts)
	}
	s := Stood{When: When(w.Steps, now), Nodes: t.standings(), Pending: t.pending()}
	s.Left = Left(w.Budget())
	return s
}

// Left says what faults may still happen; "" of none.
func Left(f model.Faults) string {
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

// A Standing says how a node, or the monitor of a claim, stands.
type Standing struct {
	Who             string
	Byzantine, Down bool
	Fields          []describe.Field // that are neither zero nor empty; none of a node that is down or Byzantine
	Also            []string         // its holds, and how far its application has come
}

// Standings says how each node stands, and then each monitor of the claims that are watched whose state
// says something.
func Standings(run *replay.Run) []Standing {
	t := texter{run: run}
	all := t.nodes()
	for _, claim := range run.Watched {
		if s, ok := t.watching(claim); ok {
			all = append(all, s)
		}
	}
	return all
}

// nodes says how each node stands.
func (t *texter) nodes() (all []Standing) {
	w := t.run.World
	for i, spec := range w.System.Nodes {
		is := w.Standing(model.NodeID(i))
		s := t.stands(spec.Name, is)
		s.Byzantine, s.Down = spec.Byzantine, is.Down
		if at := t.application(model.NodeID(i), is); at != "" {
			s.Also = append(s.Also, at)
		}
		all = append(all, s)
	}
	return all
}

// watching says how a claim's monitor stands, if there is one whose state says something.
func (t *texter) watching(claim string) (s Standing, ok bool) {
	is, _ := t.run.World.Watching(claim)
	s = t.stands("monitor of "+claim, is)
	return s, len(s.Fields)+len(s.Also) > 0
}

// stands has the fields that say something, and the holds.
func (t *texter) stands(who string, s world.Standing) Standing {
	out := Standing{Who: who, Fields: describe.Fields(s.State, t.name)}
	for _, h := range s.Holds {
		if says := t.countdown(h, s.Holds); says != "" {
			out.Also = append(out.Also, says)
		}
	}
	return out
}

// standings says in words how the nodes stand, and the monitor of the claim that the trace is about.
func (t *texter) standings() (facts []Fact) {
	for _, s := range t.nodes() {
		facts = append(facts, Fact{s.Who, cmp.Or(s.String(), "nothing set")})
	}
	if s, ok := t.watching(t.run.Trace.Claim); ok {
		facts = append(facts, Fact{"monitor", s.String()})
	}
	return facts
}

// String says it in a line, empty where nothing is set.
func (s Standing) String() string {
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

// countdown says how long a hold lasts. On a clock that drifts it is two countdowns, the earlier of which is told with
// the later: it says nothing by itself.
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
	of := "the hold " + t.value(h.Key)
	if !t.run.Trace.Timed() {
		return fmt.Sprintf("%s of step %d may last", of, h.Step)
	}
	return of + " lasts " + t.end(h) + drift
}

// end says until when a countdown lasts.
func (t *texter) end(h world.Countdown) string {
	end := traces.Ticks(h.Since+world.Time(int64(h.Length.At)*t.run.Parts), t.run.Parts)
	if h.Length.Open {
		return "until before " + end
	}
	return "through " + end
}

// application says how far a node's script has come.
func (t *texter) application(id model.NodeID, s world.Standing) string {
	script := t.run.World.System.Nodes[id].Script
	if len(script) == 0 {
		return ""
	}
	of := fmt.Sprintf("%d of %d", s.Begun, len(script))
	switch {
	case s.Begun == 0:
		return "has invoked nothing yet"
	case s.Runs:
		return fmt.Sprintf("runs operation %s, %s", of, t.value(script[s.Begun-1].Call))
	}
	return "has invoked " + of + " operations"
}

// Waiting is a pending event, in words: where it is to happen and what, with its window where time is
// kept.
type Waiting struct {
	Event   *world.Event
	Who, Is string
}

// Pending lists what is pending at the end of a run, the oldest first.
func Pending(run *replay.Run) (all []Waiting) {
	t := texter{run: run}
	for _, e := range run.World.Pending() {
		m := world.Move{Kind: e.Kind, Event: e}
		w := Waiting{e, t.who(m), t.what(m)}
		if e.Optional {
			w.Is += ", or not"
		}
		if run.Trace.Timed() {
			w.Is += " in " + replay.DueOf(e, run.Parts).String(run.Parts)
		}
		all = append(all, w)
	}
	return all
}

// pending lists the events in the bag.
func (t *texter) pending() (facts []Fact) {
	for _, w := range Pending(t.run) {
		facts = append(facts, Fact{w.Who, w.Is})
	}
	return facts
}

// waits says of each node whose operation has not returned what is on its way to it and from
// it, for a run after which a goal is not reached.
func (t *texter) waits() (facts []Fact) {
	w := t.run.World
	for i, spec := range w.System.Nodes {
		id := model.NodeID(i)
		s := w.Standing(id)
		if !s.Runs {
			continue
		}
		is := fmt.Sprintf("waits since step %d for the end of %s; ", t.invoked(id), t.value(spec.Script[s.Begun-1].Call))
		if close := t.concerning(id); len(close) > 0 {
			is += strings.Join(close, "; ")
		} else {
			is += "nothing that is pending is for it or from it"
		}
		facts = append(facts, Fact{spec.Name, is})
	}
	return facts
}

// concerning lists the pending events that are for a node, or messages from it.
func (t *texter) concerning(id model.NodeID) (all []string) {
	for _, e := range t.run.World.Pending() {
		what := t.what(world.Move{Kind: e.Kind, Event: e})
		switch {
		case e.Kind == model.Deliver && e.Node == id:
			all = append(all, "pending: "+what+" from "+t.name(e.From))
		case e.Kind == model.Deliver && e.From == id:
			all = append(all, "pending: "+what+" at "+t.name(e.Node))
		case e.Node == id: // the alarm of a monitor is at no node
			all = append(all, "pending: "+what)
		}
	}
	return all
}

// invoked is the step in which a node's latest operation began.
func (t *texter) invoked(id model.NodeID) (step int) {
	for i, r := range t.run.Records {
		if r.Move.Kind == model.Invoke && r.Node == id {
			step = i + 1
		}
	}
	return step
}
