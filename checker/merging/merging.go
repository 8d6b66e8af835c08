// Package merging puts to the test what a search took for granted: that the objects which it merged react alike.
//
// A state of a node over somebody else's object (model/foreign) is a name, and a search merges the objects
// that have one name. So holds rests on that they react alike. After a complete search, and before it is said
// what holds, that is put to the test: by schedules of the whole system, in the simple interpreter, whose nodes
// have objects of their own from the beginning to the end, and then by a review of each reaction on objects of
// other histories. Whatever such an object does must be what the search took an object in its state to do; if not
// the check is refused.
//
// A schedule takes, of the moves that are open, one that leads its node to the history that was met least often so
// far: the orders of a few events at one node are gone through one after another, where chance would come to some of
// them again and again.
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

// How much is put to the test at least.
const (
	leastSchedules = 1000
	leastRuns      = 50_000 // of handlers, in a review
)

// A Search is a search that merged objects, and came to its end.
type Search struct {
	System  *model.System
	Codec   *value.Codec
	Timed   bool
	Depth   int           // that it came to
	Stopped func() string // says what stops the check from outside, or ""
	Running *guard.Cell   // shows the handler that runs
}

// A Report says how the merging of states of nodes over foreign objects was put to the test.
type Report struct {
	// States are those of objects, which the search knows by their names.
	States int `json:"states"`
	// Schedules is the number of runs of the system in which each node had an object of its own, and
	// Steps what they took in all.
	Schedules int64 `json:"schedules"`
	Steps     int64 `json:"steps"`
	// Histories is the number of histories that new objects were driven through, and Reactions the number
	// of inputs on which one of them was compared with an object of another history of the same state.
	Histories int `json:"histories"`
	Reactions int `json:"reactions"`
	// Left is the number of such comparisons that there was no time for.
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

// test is the test of one search.
type test struct {
	Search
	is   Report
	seen map[uint64]uint32 // histories of nodes, by how often they were met
}

// Test puts the merging to the test, for a time and then for as long again. The error is what a node refuses.
func (s Search) Test(nodes []wrapped.Merged, share time.Duration) (is *Report, err error) {
	m := &test{Search: s, seen: map[uint64]uint32{}}
	defer guard.Caught(&err)
	if err := m.schedules(time.Now().Add(share)); err != nil {
		return &m.is, err
	}
	m.review(nodes, time.Now().Add(share))
	return &m.is, nil
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

// schedule runs one, on objects of its own.
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
	m.is.Schedules++
	m.is.Steps += int64(w.Steps)
	return out.Err
}

// rarest chooses a move that leads its node to a history that was met as seldom as any. At is the history of
// each node.
func (m *test) rarest(at []uint64, moves []world.Move, c sample.Choices) []world.Move {
	var best []world.Move
	var leads []uint64
	least := ^uint32(0)
	for _, move := range moves {
		to := m.leads(at, move)
		switch n := m.seen[to]; {
		case n > least:
			continue
		case n < least:
			least, best, leads = n, best[:0], leads[:0]
		}
		best, leads = append(best, move), append(leads, to)
	}
	i := c.Choose(len(best))
	if m.seen[leads[i]]++; best[i].Event.Kind != model.Expire {
		at[best[i].Event.Node] = leads[i]
	}
	return best[i : i+1]
}

// leads is the history of a node after a move.
func (m *test) leads(at []uint64, move world.Move) uint64 {
	e := move.Event
	b := fmt.Appendf(nil, "%d %d %d %d ", e.Node, at[e.Node], move.Kind, e.From)
	return xxh3.Hash(append(b, m.Codec.Any(e.Value, nil)...))
}

// review has the nodes compare histories until a time.
func (m *test) review(nodes []wrapped.Merged, until time.Time) {
	before, reviewed := 0, map[any]bool{}
	for _, n := range nodes {
		most := 0
		is := n.Review(reviewed, func(runs int) bool {
			most = runs
			return m.Stopped() == "" && (before+runs < leastRuns || time.Now().Before(until))
		})
		before += most
		m.is.States += is.States
		m.is.Histories += is.Histories
		m.is.Reactions += is.Reactions
		m.is.Left += is.Left
	}
}
