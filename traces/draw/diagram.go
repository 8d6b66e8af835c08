// Package draw makes space–time diagrams of runs: a lane for each node, time downwards, a row
// for each step, messages as arrows from where they were sent to where they arrived. diagram.go
// makes a [Diagram] of a run; svg.go draws it, and mermaid.go writes it for pages that draw
// Mermaid. Nothing here knows of HTML.
package draw

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
)

// A Diagram is what there is to draw of a run. The rows are its steps: row 0 is the start, and row
// i step i, unless the diagram begins later. Lanes are nodes, by their ids.
type Diagram struct {
	Title  string // the protocol with its variant
	Config string
	Claim  string // the claim that the run violates; "" for one that violates none
	Text   string // how it is violated
	Timed  bool
	// Why says why the run breaks its claim, and Told lists the rows of which that speaks.
	Why  []string
	Told []int
	// Scaled draws a timed run to scale: heights are times, but for the rows of one instant, which
	// stand below one another, and for long waits, which are shortened and marked. [Of] chooses it
	// where such a picture can be read.
	Scaled bool
	// Loop is the first row of the round that the run repeats for ever; 0 where it is no lasso.
	Loop   int
	Bare   bool // the picture goes without these words, since what shows it has them
	Lanes  []Lane
	Rows   []Row
	Arrows []Arrow
	Bars   []Bar
}

// A Lane is a node.
type Lane struct {
	Name      string
	Byzantine bool
}

// A Row is a step.
type Row struct {
	traces.Line
	Lane  int     // where it happens; -1 where it is at no node
	At    float64 // the time in ticks; 0 in an untimed run
	Fault bool    // it is a move of the environment
	Kind  model.EventKind
	// Broken says which claims the step violates, and how.
	Broken []string
	// Marks say what else is to be known behind the step.
	Marks []Mark
}

// A Mark says something of how the run goes on behind a row.
type Mark struct {
	Kind MarkKind
	Text string
}

// A MarkKind is what a mark is about.
type MarkKind int

// The point of no return, or what is known of it; where the round of a lasso begins, and its end.
const (
	NoReturn MarkKind = iota
	LoopBegins
	LoopEnds
)

// A Fate is what became of a message.
type Fate int

// What becomes of messages.
const (
	Arrived  Fate = iota
	Doubled       // the copy of a message that the network doubled arrives
	Repeated      // it had arrived before its receiver restarted, and does once more
	Forged        // a Byzantine node made it up
	Unheard       // it arrives while its receiver is down
	Lost          // it is lost, to the network or with its receiver
	InFlight      // the run ends before it arrives
)

func (f Fate) String() string {
	return [...]string{"arrives", "arrives, doubled", "arrives once more after a restart", "arrives, forged", "arrives where nobody is up", "is lost", "is in flight at the end"}[f]
}

// An Arrow is a message, from the row in which it was sent to that in which its fate is known. Row -1
// is above the first.
type Arrow struct {
	From, To  int // lanes
	Sent, End int // rows
	Label     string
	Value     any // the message
	Fate      Fate
	// Delay is how long it took, in ticks; "" in an untimed run, and in flight.
	Delay string
	// Honest says of one that is forged what an honest node would have said; "" where that is not known.
	Honest string
}

// A BarKind is something that lasts.
type BarKind int

// What lasts at a node, and the last at all.
const (
	Operation BarKind = iota // from the invocation to the return
	Section                  // from the return of an operation that has a release to that
	Down                     // from a crash to the return, if there is one
	Alarm                    // from when it is set to when it fires or is set no more
	Hold                     // from when it is set to its end; untimed to where it is found to be over
	Cut                      // the network is cut in two; Lane is -1
)

func (k BarKind) String() string {
	return [...]string{"operation", "critical section", "down", "alarm", "hold", "network cut in two"}[k]
}

// A Bar is something that lasts from a row to a row, as of an [Arrow]. Open says that the run ends
// before it does.
type Bar struct {
	Kind     BarKind
	Lane     int
	From, To int
	Label    string
	Open     bool
	// Until is the time, in ticks, at which it ends between To and the row after; 0 where it ends in
	// To.
	Until float64
}

// Of makes the diagram of a run, as far as it was taken.
func Of(run *traces.Run) *Diagram { return From(run, 0) }

// From makes the diagram of a run from a step on, 0 being its start: what came to be before has no
// row, and is drawn from above the first. It takes little for a long run of which few steps are drawn.
func From(run *traces.Run, step int) *Diagram {
	b := builder{run: run, from: min(max(step, 0), len(run.Records)), d: &Diagram{Config: run.Trace.Config.String(), Claim: run.Trace.Claim, Text: run.Trace.Text, Timed: run.Trace.Timed(), Loop: run.Trace.Loop},
		open: map[any]int{}, known: map[*world.Event]bool{}}
	b.d.Title = run.Trace.Protocol
	if run.Trace.Variant != "" {
		b.d.Title += "/" + run.Trace.Variant
	}
	for _, n := range run.World.System.Nodes {
		b.d.Lanes = append(b.d.Lanes, Lane{n.Name, n.Byzantine})
	}
	b.rows()
	b.marks()
	b.honest = run.Honest()
	b.begin(0, run.Initial)
	for id, all := range run.Holds {
		for _, h := range all {
			b.hold(0, model.NodeID(id), h)
		}
	}
	for i, r := range run.Records {
		b.step(i+1, r)
	}
	b.end()
	b.trim()
	b.d.Scaled = b.d.Timed && readable(b.d.Rows)
	return b.d
}

// Before lists, for each row, the rows that happened right before it: the one before at its node,
// and those in which messages were sent that arrive in it. Rows from which a row can be
// reached so are its causal past.
func (d *Diagram) Before() [][]int {
	before := make([][]int, len(d.Rows))
	last := map[int]int{}
	for i, r := range d.Rows {
		if r.Lane < 0 {
			continue
		}
		if k, is := last[r.Lane]; is {
			before[i] = append(before[i], k)
		}
		last[r.Lane] = i
	}
	for _, a := range d.Arrows {
		if a.Fate != Lost && a.Fate != InFlight && a.Sent >= 0 && a.Sent < a.End && !slices.Contains(before[a.End], a.Sent) {
			before[a.End] = append(before[a.End], a.Sent)
		}
	}
	return before
}

// Ends lists, for each row, the messages whose fate is known in it.
func (d *Diagram) Ends() [][]Arrow {
	ends := make([][]Arrow, len(d.Rows))
	for _, a := range d.Arrows {
		ends[a.End] = append(ends[a.End], a)
	}
	return ends
}

// builder makes a diagram step by step.
type builder struct {
	run   *traces.Run
	d     *Diagram
	from  int                   // the first row that stays
	known map[*world.Event]bool // messages that were sent, not copies of them
	open  map[any]int           // bars that have not ended, by what they are of
	// honest says of each step that is a lie what an honest node would have said.
	honest map[int]string
}

// What open bars are of, besides the events of alarms.
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

// rows makes a row for each step, and one for the start; those that do not stay go without words.
func (b *builder) rows() {
	lines := b.lines()
	for i := range len(b.run.Records) + 1 {
		row := Row{Line: traces.Line{Step: i}, Lane: -1}
		if i >= b.from {
			row.Line = lines[i-b.from]
		}
		if i > 0 {
			r := b.run.Records[i-1]
			row.Kind, row.Fault = r.Move.Kind, r.Move.Kind.Adversarial()
			row.At = float64(r.At) / float64(max(b.run.Parts, 1))
			if !slices.Contains([]model.EventKind{model.Expire, model.Heal, model.Partition}, row.Kind) {
				row.Lane = int(r.Node)
			}
		}
		b.d.Rows = append(b.d.Rows, row)
	}
	said := map[string]bool{}
	for _, v := range b.run.World.Violations {
		text := fmt.Sprintf("%s is violated: %s", v.Claim, v.Text)
		if !said[text] && v.Step < len(b.d.Rows) {
			said[text] = true
			b.d.Rows[v.Step].Broken = append(b.d.Rows[v.Step].Broken, text)
		}
	}
}

// lines are the words of the rows that stay.
func (b *builder) lines() []traces.Line {
	if b.from > 0 {
		return traces.LinesFrom(b.run, b.from)
	}
	lines := traces.Lines(b.run)
	if len(lines) == 0 || lines[0].Step != 0 {
		lines = slices.Insert(lines, 0, traces.Line{Who: "all", What: "start"})
	}
	if b.d.Timed {
		lines[0].Time = "0"
	}
	return lines
}

// marks says where the run goes round, and from where on it cannot come to its goal.
func (b *builder) marks() {
	t, last := b.run.Trace, len(b.d.Rows)-1
	if last < len(t.Steps) {
		b.d.Loop = 0
		return // the run was not taken to its end
	}
	mark := func(row int, kind MarkKind, text string) {
		b.d.Rows[row].Marks = append(b.d.Rows[row].Marks, Mark{kind, text})
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

// begin takes in what came to be in a step.
func (b *builder) begin(row int, events []*world.Event) {
	for _, e := range events {
		switch e.Kind {
		case model.Deliver:
			b.known[e] = true
		case model.Timeout:
			b.start(e, Bar{Kind: Alarm, Lane: int(e.Node), From: row, Label: b.value(e.Value)})
		}
	}
}

// step takes in a step.
func (b *builder) step(row int, r world.Record) {
	b.message(row, r.Move)
	for _, e := range r.Gone {
		switch e.Kind {
		case model.Deliver:
			b.arrow(e, row, Lost)
		case model.Timeout:
			b.stop(e, row)
		}
	}
	b.lasts(row, r)
	b.begin(row, r.Sent)
	b.begin(row, r.Armed)
	for _, h := range r.Held {
		if !h.Watch && !h.Held { // a monitor's hold is no node's
			b.over(holdOf{r.Node, b.value(h.Key)}, row)
		}
	}
	for _, h := range r.Holds {
		b.hold(row, r.Node, h)
	}
}

// message takes in the end of a message's way.
func (b *builder) message(row int, m world.Move) {
	switch m.Kind {
	case model.Deliver:
		fate := Arrived
		if _, down := b.open[downOf{m.Event.Node}]; down {
			fate = Unheard
		} else if m.Event.Optional {
			fate = Repeated
		} else if !b.known[m.Event] {
			fate = Doubled
		}
		b.arrow(m.Event, row, fate)
	case model.Forge:
		if row >= b.from {
			b.d.Arrows = append(b.d.Arrows, Arrow{From: int(m.From), To: int(m.Node), Sent: row, End: row, Label: b.value(m.Value), Value: m.Value, Fate: Forged, Honest: b.honest[row]})
		}
	}
}

// arrow draws a message whose fate is known, unless that is so before the rows that stay.
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

// lasts takes in what begins and ends at a node, and at the network.
func (b *builder) lasts(row int, r world.Record) {
	id := r.Node
	switch m := r.Move; m.Kind {
	case model.Invoke:
		b.start(operationOf{id}, Bar{Kind: Operation, Lane: int(id), From: row, Label: b.value(m.Event.Value)})
	case model.Return:
		b.stop(operationOf{id}, row)
		if b.run.World.System.Nodes[id].Script[m.Event.Op].Release != nil {
			b.start(sectionOf{id}, Bar{Kind: Section, Lane: int(id), From: row, Label: "critical section"})
		}
	case model.Release:
		b.stop(sectionOf{id}, row)
	case model.Timeout:
		b.stop(m.Event, row)
	case model.Crash, model.Stop:
		b.stop(operationOf{id}, row)
		b.stop(sectionOf{id}, row)
		for of := range b.open {
			if h, is := of.(holdOf); is && h.node == id {
				b.over(h, row)
			}
		}
		b.start(downOf{id}, Bar{Kind: Down, Lane: int(id), From: row, Label: "down"})
	case model.Restart:
		b.stop(downOf{id}, row)
	case model.Partition:
		b.start(cutOf{}, Bar{Kind: Cut, Lane: -1, From: row, Label: b.value(m.Value)})
	case model.Heal:
		b.stop(cutOf{}, row)
	}
}

// hold begins a bar that lasts, where time is kept, as long as the hold does.
func (b *builder) hold(row int, id model.NodeID, h world.Countdown) {
	of := holdOf{id, b.value(h.Key)}
	b.over(of, row)
	bar := Bar{Kind: Hold, Lane: int(id), From: row, Label: of.key + ", which may last"}
	if b.d.Timed {
		says := "through"
		if h.Length.Open {
			says = "for less than"
		}
		bar.Label = fmt.Sprintf("%s, %s %d ticks", of.key, says, h.Length.At)
		bar.Until = float64(h.Since)/float64(max(b.run.Parts, 1)) + float64(h.Length.At)
	}
	b.start(of, bar)
}

// over ends the bar of a hold, if it has begun and has not ended by itself.
func (b *builder) over(of holdOf, row int) {
	i, is := b.open[of]
	if !is {
		return
	}
	if bar := &b.d.Bars[i]; bar.Until > 0 && bar.Until <= b.d.Rows[row].At {
		b.lapse(bar)
		delete(b.open, of)
		return
	}
	b.d.Bars[i].Until = 0
	b.stop(of, row)
}

// lapse ends a bar behind the last row before its time has come.
func (b *builder) lapse(bar *Bar) {
	for bar.To = bar.From; bar.To+1 < len(b.d.Rows) && b.d.Rows[bar.To+1].At <= bar.Until; {
		bar.To++
	}
	if bar.To == len(b.d.Rows)-1 {
		bar.Until, bar.Open = 0, true
	}
}

func (b *builder) start(of any, bar Bar) {
	b.open[of] = len(b.d.Bars)
	b.d.Bars = append(b.d.Bars, bar)
}

// stop ends a bar, if it has begun.
func (b *builder) stop(of any, row int) {
	if i, is := b.open[of]; is {
		b.d.Bars[i].To = row
		delete(b.open, of)
	}
}

// end takes in what the run leaves open.
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

// trim leaves out the rows that do not stay and what ends in them, and counts from the first that does.
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

// value writes a value; one that says all by its type goes without braces.
func (b *builder) value(v any) string {
	return strings.TrimSuffix(value.Format(v, b.run.World.System.Name), "{}")
}
