package draw

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// A builder makes a diagram from the records of a run.
type builder struct {
	run  *replay.Run
	d    *Diagram
	from int                   // the first row of the result
	sent map[*world.Event]bool // messages that were sent, without duplicates
	open map[any]int           // indexes of bars that have not ended, by key
	// honest maps a step with a forged message to the messages that an honest node would have sent.
	honest map[int]string
}

// The keys of open bars. An alarm's key is its event.
type (
	operationOf struct{ node model.NodeID }
	sectionOf   struct{ node model.NodeID }
	downOf      struct{ node model.NodeID }
	cutOf       struct{}
	holdOf      struct {
		node model.NodeID
		key  string
	}
)

// rows makes the rows. Rows before b.from have no texts.
func (b *builder) rows() {
	lines := b.lines()
	for i := range len(b.run.Records) + 1 {
		row := Row{Line: show.Line{Step: i}, Lane: -1}
		if i >= b.from {
			row.Line = lines[i-b.from]
		}
		if i > 0 {
			r := b.run.Records[i-1]
			row.Kind, row.Fault = r.Move.Kind, r.Move.Kind.Adversarial()
			row.At = float64(r.At) / float64(b.run.Parts)
			row.Lane = int(r.Node)
		}
		b.d.Rows = append(b.d.Rows, row)
	}
	seen := map[string]bool{}
	for _, v := range b.run.World.Violations {
		text := fmt.Sprintf("%s is violated: %s", v.Claim, v.Text)
		if !seen[text] {
			seen[text] = true
			b.d.Rows[v.Step].Broken = append(b.d.Rows[v.Step].Broken, text)
		}
	}
}

// lines returns the texts of the rows from b.from on.
func (b *builder) lines() []show.Line {
	if b.from > 0 {
		return show.LinesFrom(b.run, b.from)
	}
	lines := show.Lines(b.run)
	if len(lines) == 0 || lines[0].Step != 0 {
		lines = slices.Insert(lines, 0, show.Line{Who: "all", What: "start"})
	}
	if b.d.Timed {
		lines[0].Time = "0"
	}
	return lines
}

// mark adds the marks for the loop and the point of no return.
func mark(d *Diagram, t *traces.Trace) {
	last := len(d.Rows) - 1
	if last < len(t.Steps) {
		d.Loop = 0
		return // the run was replayed in part only
	}
	mark := func(row int, kind MarkKind, text string) {
		d.Rows[row].Marks = append(d.Rows[row].Marks, Mark{kind, text})
	}
	if after, ok := t.NoReturn.Point(); ok {
		mark(after, NoReturn, t.NoReturn.String())
	} else if t.NoReturn != nil {
		mark(last, NoReturn, t.NoReturn.String())
	}
	if t.Loop > 0 {
		mark(t.Loop-1, LoopBegins, t.Rounds())
		mark(last, LoopEnds, fmt.Sprintf("on with step %d", t.Loop))
	}
}

// begin adds events that a step created.
func (b *builder) begin(row int, events []*world.Event) {
	for _, e := range events {
		switch e.Kind {
		case model.Deliver:
			b.sent[e] = true
		case model.Timeout:
			b.start(e, Bar{Kind: Alarm, Lane: int(e.Node), From: row, Label: b.value(e.Value)})
		}
	}
}

// step adds the bars and arrows of a step.
func (b *builder) step(row int, r world.Record) {
	b.message(row, r.Move, r.By)
	for _, e := range r.Gone {
		switch e.Kind {
		case model.Deliver:
			b.arrow(e, row, Lost)
		case model.Timeout:
			b.stop(e, row)
		}
	}
	b.stepBars(row, r)
	b.begin(row, r.Sent)
	b.begin(row, r.Armed)
	for _, h := range r.Held {
		if !h.Watch && !h.Held { // queries of a monitor's hold are not drawn
			b.endHold(holdOf{r.Node, b.holdName(h.Key)}, row)
		}
	}
	for _, h := range r.Holds {
		b.hold(row, r.Node, h)
	}
}

// message adds the arrow of a delivery or a forgery.
func (b *builder) message(row int, m world.Move, by string) {
	switch m.Kind {
	case model.Deliver:
		fate := Arrived
		if _, down := b.open[downOf{m.Event.Node}]; down {
			fate = Unheard
		} else if m.Event.Optional {
			fate = Repeated
		} else if !b.sent[m.Event] {
			fate = Doubled
		}
		b.arrow(m.Event, row, fate)
	case model.Forge:
		if row >= b.from {
			b.d.Arrows = append(b.d.Arrows, Arrow{From: int(m.From), To: int(m.Node), Sent: row, End: row, Label: b.value(m.Value), Value: m.Value, Fate: Forged, Honest: b.honest[row], By: by})
		}
	}
}

// arrow adds the arrow of a message that ends in a row, if the row is in the result.
func (b *builder) arrow(e *world.Event, row int, fate Fate) {
	if row < b.from {
		return
	}
	a := Arrow{From: int(e.From), To: int(e.Node), Sent: e.BornStep, End: row, Label: b.value(e.Value), Value: e.Value, Fate: fate}
	if b.d.Timed && row > 0 && fate != InFlight {
		a.Delay = traces.Ticks(b.run.Records[row-1].At-e.Born, b.run.Parts)
	}
	b.d.Arrows = append(b.d.Arrows, a)
}

// end closes the open bars and adds the messages in flight.
func (b *builder) end() {
	last := len(b.d.Rows) - 1
	for _, i := range b.open {
		if bar := &b.d.Bars[i]; bar.Until > 0 {
			b.lapse(bar)
		} else {
			bar.To, bar.Open = last, true
		}
	}
	for _, e := range b.run.World.Pending() {
		if e.Kind == model.Deliver && !e.Optional {
			b.arrow(e, last, InFlight)
		}
	}
}

// trim removes the rows before b.from, with the bars that end in them, and renumbers the others.
func (b *builder) trim() {
	row := func(r int) int { return max(r-b.from, -1) }
	d := b.d
	d.Rows, d.Loop = d.Rows[b.from:], max(d.Loop-b.from, 0)
	d.Bars = slices.DeleteFunc(d.Bars, func(bar Bar) bool { return bar.To < b.from })
	for i, bar := range d.Bars {
		d.Bars[i].From, d.Bars[i].To = row(bar.From), row(bar.To)
	}
	for i, a := range d.Arrows {
		d.Arrows[i].Sent, d.Arrows[i].End = row(a.Sent), row(a.End)
	}
}

// value formats a value, without empty braces.
func (b *builder) value(v any) string {
	return strings.TrimSuffix(describe.Value(v, b.run.World.System.Name), "{}")
}
