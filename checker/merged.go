package checker

import (
	"errors"
	"fmt"
	"time"

	"github.com/zeebo/xxh3"

	"contend/checker/sample"
	"contend/checker/search"
	"contend/checker/watch"
	"contend/model"
	"contend/model/guard"
	"contend/model/world"
	"contend/model/wrapped"
)

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

// How much is put to the test at least, and what part of the time of the search each of the two kinds of tests
// takes at most beyond that.
const (
	leastSchedules = 1000
	leastRuns      = 50_000 // of handlers, in a review
	partOfTime     = 8
)

// Merged says how the merging of states of nodes over foreign objects was put to the test.
type Merged struct {
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

func (m *Merged) String() string {
	left := ""
	if m.Left > 0 {
		left = fmt.Sprintf("; there was no time for %d more comparisons", m.Left)
	}
	return fmt.Sprintf("what holds rests on comparisons: objects of %d states are told apart by their dumps; %d schedules of %d steps on objects that "+
		"were not merged, and %d reactions after %d other histories, all came to what the search takes them to come to%s",
		m.States, m.Schedules, m.Steps, m.Reactions, m.Histories, left)
}

// merging is the test of one system.
type merging struct {
	x    *exhaustive
	is   Merged
	seen map[uint64]uint32 // histories of nodes, by how often they were met
	cell *guard.Cell
}

// putToTest puts the merging of objects to the test, if the system has some and the search came to its end.
// It is nil if there are none.
func (x *exhaustive) putToTest(r *search.Result, w *watch.Watch) (*Merged, error) {
	nodes := x.merged()
	if x.refused != nil || len(nodes) == 0 || !r.Complete {
		return nil, x.refused
	}
	m := &merging{x: x, seen: map[uint64]uint32{}, cell: w.Cell()}
	share := time.Since(x.began) / partOfTime
	err := w.Run(func() (err error) {
		defer guard.Caught(&err)
		if err := m.schedules(r.Depth, time.Now().Add(share)); err != nil {
			return err
		}
		m.review(nodes, time.Now().Add(share))
		return nil
	})
	if limit := x.stopped(); limit != "" {
		r.Complete, r.Limit = false, limit
	}
	return &m.is, err
}

// refuse keeps what an object says that was not merged, in the confirmation of a candidate: that it does something
// else than the search took it to do. It is the protocol's fault then that search and interpreter disagree.
func (x *exhaustive) refuse(err error) {
	var refused model.Refusal
	if !errors.As(err, &refused) || len(x.merged()) == 0 {
		return
	}
	x.lock.Lock()
	defer x.lock.Unlock()
	if x.refused == nil {
		x.refused = refused
	}
}

// merged are the nodes of a system whose states are merged, as they are made.
func (x *exhaustive) merged() (all []wrapped.Merged) {
	for _, spec := range x.sys.Nodes {
		if spec.Byzantine {
			continue
		}
		if n, is := spec.New().(wrapped.Merged); is {
			all = append(all, n)
		}
	}
	return all
}

// stopped says what stops a check from outside, or "".
func (x *exhaustive) stopped() string {
	select {
	case <-x.opt.Interrupt:
		return search.Interrupted
	default:
	}
	if x.opt.Timeout > 0 && time.Since(x.began) >= x.opt.Timeout {
		return search.Timeout
	}
	return ""
}

// schedules runs schedules until a time.
func (m *merging) schedules(depth int, until time.Time) error {
	for i := 0; m.x.stopped() == "" && (i < leastSchedules || time.Now().Before(until)); i++ {
		if err := m.schedule(uint64(i), 4*depth+64); err != nil {
			return err
		}
	}
	return nil
}

// schedule runs one, on objects of its own.
func (m *merging) schedule(seed uint64, most int) error {
	c := sample.Seeded(seed)
	reading := world.Options{Timed: m.x.check.Reading != model.Untimed, Running: m.cell, Boot: func(n int, _ string) int { return c.Choose(n) }}
	if reading.Timed {
		reading.Parts = []int64{1, 4, 6, 12}[c.Choose(4)]
	}
	system, release := wrapped.Alone(m.x.sys)
	defer release()
	w, err := world.Start(system, m.x.codec, nil, reading)
	if err != nil {
		return err
	}
	at := make([]uint64, len(m.x.sys.Nodes))
	out := sample.Run(w, c, sample.Bounds{World: reading, MaxSteps: most, Settle: most,
		Prefer: func(_ *world.World, moves []world.Move) []world.Move { return m.rarest(at, moves, c) }})
	m.is.Schedules++
	m.is.Steps += int64(w.Steps)
	return out.Err
}

// rarest chooses a move that leads its node to a history that was met as seldom as any. At is the history of
// each node.
func (m *merging) rarest(at []uint64, moves []world.Move, c sample.Choices) []world.Move {
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
func (m *merging) leads(at []uint64, move world.Move) uint64 {
	e := move.Event
	b := fmt.Appendf(nil, "%d %d %d %d ", e.Node, at[e.Node], move.Kind, e.From)
	return xxh3.Hash(append(b, m.x.codec.Any(e.Value, nil)...))
}

// review has the nodes compare histories until a time.
func (m *merging) review(nodes []wrapped.Merged, until time.Time) {
	before, reviewed := 0, map[any]bool{}
	for _, n := range nodes {
		most := 0
		is := n.Review(reviewed, func(runs int) bool {
			most = runs
			return m.x.stopped() == "" && (before+runs < leastRuns || time.Now().Before(until))
		})
		before += most
		m.is.States += is.States
		m.is.Histories += is.Histories
		m.is.Reactions += is.Reactions
		m.is.Left += is.Left
	}
}
