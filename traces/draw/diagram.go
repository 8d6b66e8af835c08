// Package draw makes space–time diagrams of runs. There is a lane for each node, a row for each step with time
// downwards, and an arrow for each message. diagram.go has the [Diagram], builder.go and bars.go make it from a
// run, svg.go draws it, and mermaid.go writes it as Mermaid text. The package does not depend on HTML.
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

// A Diagram is the content of a drawing of a run. Row 0 is the initial state and row i is step i, unless the
// diagram begins later. Lane i is the node with id i.
type Diagram struct {
	Title  string // the protocol with its variant
	Config string
	Claim  string // the claim that the run violates, or ""
	Text   string // the text of the violation
	Timed  bool
	// Why is the explanation of the violation, and Marked has the rows that it names.
	Why    []string
	Marked []int
	// Scaled selects heights in proportion to time. Rows of one instant are then stacked, and long waits are
	// shortened and marked. [New] sets it if such a picture is readable.
	Scaled bool
	// Loop is the first row of the loop of a lasso; 0 if there is no loop.
	Loop   int
	Bare   bool // omit the texts above, since the page shows them
	Width  int  // the width in pixels, if the lanes fit; 0 means 884
	Lanes  []Lane
	Rows   []Row
	Arrows []Arrow // sorted by End
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
	Lane  int     // where the step happens; -1 if at no node
	At    float64 // the time in ticks; 0 in an untimed run
	Fault bool    // it is a move of the environment
	Kind  model.EventKind
	// Broken has a text for each claim that the step violates.
	Broken []string
	// Marks has further remarks on the state after the step.
	Marks []Mark
}

// A Mark is a remark on how the run continues after a row.
type Mark struct {
	Kind MarkKind
	Text string
}

// A MarkKind is the kind of a [Mark].
type MarkKind int

// The kinds of marks: the point of no return, and the first and the last row of a loop.
const (
	NoReturn MarkKind = iota
	LoopBegins
	LoopEnds
)

// A Fate is the end of a message.
type Fate int

// The fates of messages.
const (
	Arrived  Fate = iota
	Doubled       // a duplicate arrives
	Repeated      // it arrives again, after a restart of its receiver
	Forged        // a Byzantine node forged it
	Unheard       // it arrives while its receiver is down
	Lost          // the network lost it, or its receiver crashed
	InFlight      // the run ends before it arrives
)

func (f Fate) String() string {
	return [...]string{"arrives", "arrives, doubled", "arrives once more after a restart", "arrives, forged", "arrives where nobody is up", "is lost", "is in flight at the end"}[f]
}

// An Arrow is a message, from the row that sent it to the row in which its fate is known. Row -1 is above the
// first row.
type Arrow struct {
	From, To  int // lanes
	Sent, End int // rows
	Label     string
	Value     any // the message
	Fate      Fate
	// Delay is the time from sending to End, in ticks; "" in an untimed run or in flight.
	Delay string
	// Honest is the message that an honest node would have sent instead of a forged one; "" if not known.
	Honest string
	// By is the strategy that chose a forged message; "" if not known.
	By string
}

// New returns the diagram of a run, up to its last replayed step.
func New(run *replay.Run) *Diagram { return NewFrom(run, 0) }

// NewFrom returns the diagram of a run without the rows before a step; 0 is the initial state. Messages and
// bars from earlier rows begin above the first row. It is fast for a long run of which few rows are drawn.
func NewFrom(run *replay.Run, step int) *Diagram {
	b := builder{run: run, from: min(max(step, 0), len(run.Records)), d: newDiagram(run.Trace), open: map[any]int{}, sent: map[*world.Event]bool{}}
	for _, n := range run.World.System.Nodes {
		b.d.Lanes = append(b.d.Lanes, Lane{n.Name, n.Byzantine})
	}
	b.rows()
	mark(b.d, run.Trace)
	b.honest = honest.Sentences(run)
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

// newDiagram returns a diagram with the header of a trace only.
func newDiagram(t *traces.Trace) *Diagram {
	d := &Diagram{Title: t.Protocol, Config: t.Config.String(), Claim: t.Claim, Text: t.Text, Timed: t.Timed(), Loop: t.Loop}
	if t.Variant != "" {
		d.Title += "/" + t.Variant
	}
	return d
}

// Restore returns the diagram of a trace from its stored lanes, rows, arrows and bars. [New] must have computed
// these from the run.
func Restore(t *traces.Trace, lanes []Lane, rows []Row, arrows []Arrow, bars []Bar) *Diagram {
	d := newDiagram(t)
	d.Lanes, d.Rows, d.Arrows, d.Bars = lanes, rows, arrows, bars
	mark(d, t)
	d.Scaled = d.Timed && readable(d.Rows)
	return d
}

// Before returns, for each row, the rows that directly happened before it: the previous row of its node, and
// the rows that sent a message received in it. The transitive closure is the causal past of the row.
func (d *Diagram) Before() [][]int {
	before := make([][]int, len(d.Rows))
	last := map[int]int{}
	for i, r := range d.Rows {
		if r.Lane < 0 {
			continue
		}
		if k, ok := last[r.Lane]; ok {
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

// Ends returns, for each row, the messages whose fate is known in it.
func (d *Diagram) Ends() [][]Arrow {
	ends := make([][]Arrow, len(d.Rows))
	for _, a := range d.Arrows {
		ends[a.End] = append(ends[a.End], a)
	}
	return ends
}
