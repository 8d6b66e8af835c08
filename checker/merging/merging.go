// Package merging tests an assumption of a search: merged objects react alike.
//
// The state of a node over a foreign object (model/foreign) is a name, and a search merges objects with the
// same name. A claim that holds rests on the assumption that these react alike. So after a complete search,
// before its verdict, the assumption is tested. First, schedules of the whole system run in the simple
// interpreter, where each node has one object from beginning to end. Then reactions are compared on objects
// with different histories. Each reaction must be the reaction that the search has assumed; otherwise the check
// is refused.
//
// At each step a schedule takes a move that leads its node to one of the least frequent histories so far. So
// the orders of a few events at one node are enumerated, where random moves would repeat some orders.
package merging

import (
	"fmt"
	"time"

	"github.com/zeebo/xxh3"

	"contend/checker/sample"
	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
	"contend/model/wrapped"
)

// Minimum amounts of tests.
const (
	leastSchedules = 1000
	leastRuns      = 50_000 // handler runs in a review
)

// A Search is a complete search that merged objects.
type Search struct {
	System  *model.System
	Codec   *value.Codec
	Timed   bool
	Depth   int           // number of layers
	Stopped func() string // called between schedules and comparisons; returns why the check must stop, or ""
	Running *guard.Cell   // describes the running handler
}

// A Report is the extent of the tests.
type Report struct {
	// States is the number of states of objects that the search distinguishes.
	States int `json:"states"`
	// Schedules is the number of runs with an object for each node. Steps is their total length.
	Schedules int64 `json:"schedules"`
	Steps     int64 `json:"steps"`
	// Histories is the number of histories replayed on new objects. Reactions is the number of
	// comparisons of two objects with different histories and the same state, on one input.
	Histories int `json:"histories"`
	Reactions int `json:"reactions"`
	// Left is the number of comparisons that were omitted for lack of time.
	Left int `json:"left"`
}

func (r *Report) String() string {
	left := ""
	if r.Left > 0 {
		left = fmt.Sprintf("; there was no time for %d more comparisons", r.Left)
	}
	return fmt.Sprintf("what holds rests on comparisons: objects of %d states are told apart by their dumps; %d schedules of %d steps on objects that "+
		"were not merged, and %d reactions after %d other histories, all came to what the search takes them to come to%s",
		r.States, r.Schedules, r.Steps, r.Reactions, r.Histories, left)
}

// A test is the test of one search.
type test struct {
	Search
	report    Report
	histories map[uint64]uint32 // hash of a node's history → number of occurrences
}

// Test runs schedules for the time share, then a review for the same time; both run at least the minimum. The
// error is a node's refusal.
func (s Search) Test(nodes []wrapped.Merged, share time.Duration) (is *Report, err error) {
	m := &test{Search: s, histories: map[uint64]uint32{}}
	defer guard.Caught(&err)
	if err := m.schedules(time.Now().Add(share)); err != nil {
		return &m.report, err
	}
	m.review(nodes, time.Now().Add(share))
	return &m.report, nil
}

// schedules runs schedules until a time.
func (m *test) schedules(until time.Time) error {
	for i := 0; m.Stopped() == "" && (i < leastSchedules || time.Now().Before(until)); i++ {
		if err := m.schedule(uint64(i), 4*m.Depth+64); err != nil {
			return err
		}
	}
	return nil
}

// schedule runs one schedule on new objects, with at most a number of steps.
func (m *test) schedule(seed uint64, most int) error {
	c := sample.Seeded(seed)
	reading := world.Options{Timed: m.Timed, Running: m.Running, Boot: func(n int, _ string) int { return c.Choose(n) }}
	if reading.Timed {
		reading.Parts = []int64{1, 4, 6, 12}[c.Choose(4)]
	}
	system, release := wrapped.Alone(m.System)
	defer release()
	w, err := world.Start(system, m.Codec, nil, reading)
	if err != nil {
		return err
	}
	at := make([]uint64, len(m.System.Nodes))
	out := sample.Run(w, c, sample.Bounds{World: reading, MaxSteps: most, Settle: most,
		Prefer: func(_ *world.World, moves []world.Move) []world.Move { return m.rarest(at, moves, c) }})
	m.report.Schedules++
	m.report.Steps += int64(w.Steps)
	return out.Err
}

// rarest returns a random move among the moves that lead to the least frequent histories; at has each node's
// history.
func (m *test) rarest(at []uint64, moves []world.Move, c sample.Choices) []world.Move {
	var best []world.Move
	var leads []uint64
	least := ^uint32(0)
	for _, move := range moves {
		to := m.historyAfter(at, move)
		switch n := m.histories[to]; {
		case n > least:
			continue
		case n < least:
			least, best, leads = n, best[:0], leads[:0]
		}
		best, leads = append(best, move), append(leads, to)
	}
	i := c.Choose(len(best))
	if m.histories[leads[i]]++; best[i].Event.Kind != model.Expire {
		at[best[i].Event.Node] = leads[i]
	}
	return best[i : i+1]
}

// historyAfter returns the hash of a node's history after a move.
func (m *test) historyAfter(at []uint64, move world.Move) uint64 {
	e := move.Event
	b := fmt.Appendf(nil, "%d %d %d %d ", e.Node, at[e.Node], move.Kind, e.From)
	return xxh3.Hash(append(b, m.Codec.Any(e.Value, nil)...))
}

// review makes the nodes compare histories until a time.
func (m *test) review(nodes []wrapped.Merged, until time.Time) {
	before, reviewed := 0, map[any]bool{}
	for _, n := range nodes {
		most := 0
		is := n.Review(reviewed, func(runs int) bool {
			most = runs
			return m.Stopped() == "" && (before+runs < leastRuns || time.Now().Before(until))
		})
		before += most
		m.report.States += is.States
		m.report.Histories += is.Histories
		m.report.Reactions += is.Reactions
		m.report.Left += is.Left
	}
}
