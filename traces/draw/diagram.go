// Package draw makes space–time diagrams of runs: a lane for each node, time downwards, a row
// for each step, messages as arrows from where they were sent to where they arrived. diagram.go
// is what a [Diagram] has, builder.go makes it of a run, and bars.go what lasts in it; svg.go draws
// it, and mermaid.go writes it for pages that draw Mermaid. Nothing here knows of HTML.
package draw

import (
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/honest"
	"contend/traces/replay"
	"contend/traces/show"
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
	Wide   int  // of the picture, in pixels, if the lanes need no more; 0 stands for 884
	Lanes  []Lane
	Rows   []Row
	Arrows []Arrow // in the order in which they end
	Bars   []Bar
}

// A Lane is a node.
type Lane struct {
	Name      string
	Byzantine bool
}

// A Row is a step.
type Row struct {
	show.Line
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
	// By names what the adversary did of one that is forged; "" where that is not known.
	By string
}

// Of makes the diagram of a run, as far as it was taken.
func Of(run *replay.Run) *Diagram { return From(run, 0) }

// From makes the diagram of a run from a step on, 0 being its start: what came to be before has no
// row, and is drawn from above the first. It takes little for a long run of which few steps are drawn.
func From(run *replay.Run, step int) *Diagram {
	b := builder{run: run, from: min(max(step, 0), len(run.Records)), d: headed(run.Trace), open: map[any]int{}, known: map[*world.Event]bool{}}
	for _, n := range run.World.System.Nodes {
		b.d.Lanes = append(b.d.Lanes, Lane{n.Name, n.Byzantine})
	}
	b.rows()
	mark(b.d, run.Trace)
	b.honest = honest.Said(run)
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

// headed is a diagram with the words that stand above it, of a trace.
func headed(t *traces.Trace) *Diagram {
	d := &Diagram{Title: t.Protocol, Config: t.Config.String(), Claim: t.Claim, Text: t.Text, Timed: t.Timed(), Loop: t.Loop}
	if t.Variant != "" {
		d.Title += "/" + t.Variant
	}
	return d
}

// Again makes the diagram of a trace whose lanes, rows, arrows and bars are known, as [Of] made it from
// the run.
func Again(t *traces.Trace, lanes []Lane, rows []Row, arrows []Arrow, bars []Bar) *Diagram {
	d := headed(t)
	d.Lanes, d.Rows, d.Arrows, d.Bars = lanes, rows, arrows, bars
	mark(d, t)
	d.Scaled = d.Timed && readable(d.Rows)
	return d
}

// Before lists, for each row, the rows that happened right before it: the one before at its node,
// and those in which messages were sent that it takes in. A message that arrives when nobody is up
// tells nobody anything. Rows from which a row can be reached so are its causal past.
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
		if a.Fate != Lost && a.Fate != InFlight && a.Fate != Unheard && a.Sent >= 0 && a.Sent < a.End && !slices.Contains(before[a.End], a.Sent) {
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
