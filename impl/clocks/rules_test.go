package clocks

import (
	"maps"
	"testing"

	"contend/model"
)

// A ruling is a set of rules for a clock, as a text prints them. A rule returns the clock of a process after an event,
// or after the receipt of a message with a time.
type ruling[C any] struct {
	event, receipt func(own C, at model.NodeID, told C) C
	less           func(a, b C) bool
}

// An event is an event of a run: its process, the message that it receives, and the events that happened before it.
type event[C any] struct {
	at       model.NodeID
	receives int // the event that sent what it receives; -1 where it receives nothing
	time     C
	past     map[int]bool
}

// runs calls a function with every run of a number of events of three processes. Some events are receipts of messages
// from earlier events of other processes. Relays may send and receive in one event, as a handler does. Otherwise an
// event only sends or only receives, as in Lamport's paper.
func runs[C any](r ruling[C], relays bool, events int, zero C, f func([]event[C])) {
	var extend func(run []event[C])
	extend = func(run []event[C]) {
		if len(run) == events {
			f(run)
			return
		}
		for at := range model.NodeID(3) {
			for from := -1; from < len(run); from++ {
				if from < 0 || run[from].at != at && (relays || run[from].receives < 0) {
					extend(append(run[:len(run):len(run)], next(r, run, at, from, zero)))
				}
			}
		}
	}
	extend(nil)
}

// next returns the event after a run.
func next[C any](r ruling[C], run []event[C], at model.NodeID, from int, own C) event[C] {
	e := event[C]{at: at, receives: from, past: map[int]bool{}}
	for i, before := range run {
		if before.at == at {
			own = before.time
		}
		if before.at == at || i == from {
			maps.Copy(e.past, before.past)
			e.past[i] = true
		}
	}
	if from < 0 {
		e.time = r.event(own, at, own)
	} else {
		e.time = r.receipt(own, at, run[from].time)
	}
	return e
}

// faults counts the errors of rules in all runs of at most four events.
type judged struct {
	runs       int
	condition  int // a → b, but the time of a is not less
	atReceipts int // of these: b receives what a sent
	converse   int // the time of a is less, but not a → b
}

func judge[C any](r ruling[C], relays bool, zero C) (j judged) {
	for events := 2; events <= 4; events++ {
		runs(r, relays, events, zero, func(run []event[C]) {
			j.runs++
			for i, a := range run {
				for _, b := range run {
					before, less := b.past[i], r.less(a.time, b.time)
					if before && !less {
						j.condition++
						if b.receives == i {
							j.atReceipts++
						}
					}
					if less && !before {
						j.converse++
					}
				}
			}
		})
	}
	return j
}

var (
	number = func(a, b Lamport) bool { return a < b }
	tick   = func(own Lamport, _ model.NodeID, _ Lamport) Lamport { return own.Tick() }
	ticks  = func(own Vector, at model.NodeID, _ Vector) Vector { return own.Tick(at) }
)

// Lamport's rules, as in Lamport's paper and in two readings of Naimi and Thiare's text. In one reading the clock
// condition fails. Without relays, it fails only between the sending and the receipt of one message.
func TestLamportRules(t *testing.T) {
	for _, c := range []struct {
		name    string
		receipt func(own Lamport, at model.NodeID, told Lamport) Lamport
		holds   bool
	}{
		{"max(T, H), then the increment", func(own Lamport, _ model.NodeID, told Lamport) Lamport { return own.Merge(told).Tick() }, true},
		{"the increment, then greater than T", func(own Lamport, _ model.NodeID, told Lamport) Lamport { return own.Tick().Merge(told.Tick()) }, true},
		{"as printed: the increment, then max(T, H)", func(own Lamport, _ model.NodeID, told Lamport) Lamport { return own.Tick().Merge(told) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := judge(ruling[Lamport]{tick, c.receipt, number}, false, 0)
			if j.condition != j.atReceipts {
				t.Errorf("the clock condition fails %d times, %d of them between a sending and its receipt", j.condition, j.atReceipts)
			}
			if holds := j.condition == 0; holds != c.holds {
				t.Errorf("the clock condition fails %d times in %d runs", j.condition, j.runs)
			}
			if j.converse == 0 {
				t.Error("the converse never fails")
			}
			j = judge(ruling[Lamport]{tick, c.receipt, number}, true, 0)
			if holds := j.condition == j.atReceipts; holds != c.holds {
				t.Errorf("where receipts send, the clock condition fails %d times, %d of them between a sending and its receipt", j.condition, j.atReceipts)
			}
		})
	}
}

// The smallest run in which the rule as printed fails has two events: P1 sends, P2 receives.
func TestPrintedLamportRuleFails(t *testing.T) {
	var p1, p2 Lamport
	p1 = p1.Tick()           // the sending, a
	p2 = p2.Tick().Merge(p1) // the receipt, b: "sets H_j as max(T_m, H_j)"
	if p1 != 1 || p2 != 1 {
		t.Errorf("H(a) = %d and H(b) = %d, want 1 and 1", p1, p2)
	}
}

// The rules of vectors order events exactly by happened-before, in both versions of Naimi and Thiare. Without the
// increment at receipts they do not.
func TestVectorRules(t *testing.T) {
	for _, c := range []struct {
		name    string
		receipt func(own Vector, at model.NodeID, told Vector) Vector
		exact   bool
	}{
		{"vector timestamps: the increment, then max", func(own Vector, at model.NodeID, told Vector) Vector { return own.Tick(at).Merge(told) }, true},
		{"Fidge–Mattern: the increment of one entry, max of the others", fidgeMattern, true},
		{"max alone", func(own Vector, _ model.NodeID, told Vector) Vector { return own.Merge(told) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := judge(ruling[Vector]{ticks, c.receipt, Vector.Before}, true, nil)
			if exact := j.condition+j.converse == 0; exact != c.exact {
				t.Errorf("in %d runs the clock condition fails %d times, the converse %d times", j.runs, j.condition, j.converse)
			}
		})
	}
}

func fidgeMattern(own Vector, at model.NodeID, told Vector) Vector {
	others := maps.Clone(told)
	delete(others, at)
	return own.Tick(at).Merge(others)
}
