package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/model/wrapped"
	"contend/traces"
	"contend/traces/replay"
)

// row returns the line of a step.
func (t *texter) row(number int, r world.Record) Line {
	out := Line{Step: number, Who: t.location(r.Move), What: t.event(r.Move), ink: inkOf(r.Move.Kind)}
	if t.run.Trace.Timed() {
		out.Time = traces.Ticks(r.At, t.run.Parts)
	}
	if r.By != "" {
		out.Details = append(out.Details, "the adversary's "+r.By)
	}
	if instead, ok := t.honest[number]; ok {
		out.Details = append(out.Details, instead)
	}
	for _, c := range describe.Diff(r.Before, r.After, t.name) {
		out.Details = append(out.Details, fmt.Sprintf("%s: %s → %s", c.Field, c.Before, c.After))
	}
	for _, o := range r.Observations {
		switch o.Kind {
		case model.Noted:
			out.Details = append(out.Details, "notes "+t.value(o.Value))
		case model.Delivered:
			out.Details = append(out.Details, "delivers "+t.value(o.Value))
		}
	}
	out.Details = append(out.Details, t.listMessages("sends", r.Sent)...)
	for _, e := range r.Armed {
		out.Details = append(out.Details, t.arming(e))
	}
	queries, choices := HoldQueries(r)
	for _, h := range queries {
		out.Details = append(out.Details, h.String())
	}
	out.Details = append(out.Details, choiceLines(choices)...)
	return out
}

// start returns the line of the initial state. It reports false if no node did anything.
func (t *texter) start() (l Line, ok bool) {
	l = Line{Who: "all", What: "start"}
	if t.run.Trace.Timed() {
		l.Time = "0"
	}
	choices := map[model.NodeID][]world.Choice{}
	for _, b := range t.run.World.Boot {
		choices[b.Node] = append(choices[b.Node], b.Choice)
	}
	for _, id := range slices.Sorted(maps.Keys(choices)) {
		for _, line := range choiceLines(choices[id]) {
			l.Details = append(l.Details, t.name(id)+" "+line)
		}
	}
	for _, e := range t.run.Initial {
		switch e.Kind {
		case model.Deliver:
			l.Details = append(l.Details, t.listMessages(t.name(e.From)+" sends", []*world.Event{e})...)
		case model.Timeout:
			l.Details = append(l.Details, t.name(e.Node)+" "+t.arming(e))
		}
	}
	return l, len(l.Details) > 0
}

func (t *texter) name(id model.NodeID) string { return t.run.World.System.Name(id) }

// value formats a value, without empty braces.
func (t *texter) value(v any) string { return strings.TrimSuffix(describe.Value(v, t.name), "{}") }

// Move returns texts for the location and the event of a move.
func Move(run *replay.Run, m world.Move) (where, what string) {
	t := texter{run: run}
	return t.location(m), t.event(m)
}

// location returns the location of a move.
func (t *texter) location(m world.Move) string {
	switch {
	case m.Kind == model.Forge:
		return t.name(m.From) + " → " + t.name(m.Node)
	case m.Kind == model.Partition, m.Kind == model.Heal:
		return traces.Network
	case m.Event == nil:
		return t.name(m.Node)
	case m.Event.Kind == model.Deliver:
		return t.name(m.Event.From) + " → " + t.name(m.Event.Node)
	case m.Event.Kind == model.Expire:
		return t.run.World.ClaimOf(m.Event)
	}
	return t.name(m.Event.Node)
}

// event returns the event of a move.
func (t *texter) event(m world.Move) string {
	v := ""
	switch {
	case m.Kind == model.Forge, m.Kind == model.Mistake, m.Kind == model.Partition:
		v = t.value(m.Value)
	case m.Event != nil && m.Event.Value != nil:
		v = t.value(m.Event.Value)
	}
	switch m.Kind {
	case model.Deliver:
		return v + " arrives"
	case model.Lose:
		return v + " is lost"
	case model.Duplicate:
		return v + " is doubled"
	case model.Forge:
		return v + " arrives, forged"
	case model.Timeout, model.Expire:
		return "alarm " + v + " fires"
	case model.Invoke:
		return "invokes " + v
	case model.Return:
		return strings.TrimSpace("returns " + v)
	case model.Release:
		return "leaves the section: " + v
	case model.Partition:
		return "is cut: " + v + " from the others"
	case model.Heal:
		return "heals"
	case model.Suspect:
		return "is told that " + v + " is down"
	case model.Trust:
		return "is told that " + v + " is up"
	case model.Mistake:
		return "is told, wrongly, that " + v + " is down"
	case model.Restart:
		return t.restarts(m.Node)
	case model.Stop:
		return "crashes for good"
	}
	return "crashes"
}

// restarts returns the text of a restart.
func (t *texter) restarts(id model.NodeID) string {
	w := t.run.World
	n := w.System.Nodes[id].New()
	if o, ok := n.(wrapped.Originated); ok && o.Origin().Program != "" {
		return "restarts with the files that the crash left"
	}
	if w.Codec.HasStable(n) {
		return "restarts with its stable fields"
	}
	return "restarts, its memory lost"
}

// listMessages lists messages; receivers of equal messages share an entry.
func (t *texter) listMessages(verb string, events []*world.Event) []string {
	var order []string
	to := map[string][]string{}
	for _, e := range events {
		v := t.value(e.Value)
		if to[v] == nil {
			order = append(order, v)
		}
		to[v] = append(to[v], t.name(e.Node))
	}
	var out []string
	for _, v := range order {
		out = append(out, fmt.Sprintf("%s %s to %s", verb, v, strings.Join(to[v], ", ")))
	}
	return out
}

func (t *texter) arming(e *world.Event) string {
	if !t.run.Trace.Timed() {
		return "arms " + t.value(e.Value)
	}
	return fmt.Sprintf("arms %s for %s", t.value(e.Value), replay.DueOf(e, t.run.Parts).String(t.run.Parts))
}
