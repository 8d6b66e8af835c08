// Package tables is the tables of the SDX lecture Coordination and Agreement: what it prints of
// each lock and each election, cell by cell, what it says of each multicast, and which order of
// messages implies which; beside the checks at which the cell is computed. Each lock has a file
// with its row; this one has what the rows share. Locks that the lecture does not have stand
// beside them, with what their own papers print. Elections are in elections.go, multicasts in
// multicasts.go, implications in implications.go: a new one is a few lines there and a word in
// [All].
//
// The lecture's columns of locks: "Bandwidth: number of messages sent in each entry and exit operation";
// "Client delay … incurred by a process at each entry operation", "When no other process is in
// the CS, or waiting"; "Synchronization delay … between a process exiting the critical section
// and the next process entering it", "When there is only one process waiting"; both delays
// "measured in message latencies". Safety, liveness and happened-before order are "assuming that
// processes do not fail and message delivery is reliable".
package tables

import (
	"slices"

	"contend/model"
	"contend/model/printed"
)

// All makes the rows, by their tables, in the order of the page.
func All() []*printed.Comparison {
	return slices.Concat(
		of(&printed.Table{Name: "locks"}, centralizedLock, linA, linB, ricartagrawala, maekawaLock, tokenRing,
			suzukiKasami, naimiThiare, sigmaLock, backoffLock),
		of(elections, bullyElection(), changRobertsElection(), enhancedRingElection()),
		of(multicasts, unorderedMulticast.row(), basicMulticast.row(), nackMulticast.row(), fifoMulticast.row(),
			causalMulticast.row(), sequencerMulticast.row(), agreedMulticast.row(), viewMulticast.row()),
		of(implications, implied()...),
	)
}

// of are the rows of a table.
func of(t *printed.Table, rows ...*printed.Comparison) []*printed.Comparison {
	for _, c := range rows {
		c.Table = t
	}
	return rows
}

const lecture = "SDX lecture, Coordination and Agreement"

// The costs of the table.
const (
	messages     = "messages per entry and exit"
	client       = "client delay"
	handover     = "synchronization delay"
	clientTime   = "client delay in time"
	handoverTime = "synchronization delay in time"
)

// The conditions of the cells.
const (
	alone    = "one process asks"
	together = "all ask"
	twoAsk   = "two ask"
)

// constantly is a number that does not depend on the size.
func constantly(is int) func(int) int { return func(int) int { return is } }

// lessOne is a multiple of the size less one.
func lessOne(a int) func(int) int { return func(size int) int { return a * (size - 1) } }

// number is a cell with a formula for the least and one for the most; nil where nothing is
// printed.
func number(cost, when, text string, least, most func(int) int, at func(n int) model.Check, sizes []int, more ...int) printed.Number {
	return printed.Number{Cost: cost, When: when, Text: text, Least: least, Most: most, At: at, Sizes: sizes, More: more}
}

// differing is a cell that is known to differ, and why.
func differing(n printed.Number, why string) printed.Number {
	n.Differs = why
	return n
}

// inTime is a delay as a time: where each message takes one tick at most, the most is what is
// printed.
func inTime(cost, when, text string, most func(int) int, at func(n int) model.Check, sizes []int, more ...int) printed.Number {
	onGrid := func(n int) model.Check {
		c := at(n)
		c.Reading = model.Grid
		return c
	}
	return number(cost, when, text, nil, most, onGrid, sizes, more...)
}

// check makes the check of a cell, untimed, from parameters for n.
func check(with ...model.Setting) func(n int) model.Check {
	return func(n int) model.Check { return model.Check{Config: model.Config{N: n}.With(with...)} }
}

// failing is a check with faults that the claims assume not to happen.
func failing(n int, faults model.Faults, with ...model.Setting) model.Check {
	return model.Check{Config: model.Config{N: n, Faults: faults}.With(with...), AssumeAnyway: true}
}

// The lecture's properties.
const (
	safety   = "safety"
	liveness = "liveness"
	order    = "happened-before order"
)

// properties are the three last columns: what the lecture says, decided at one check, and the
// differences that are known; safety and, if it is said to hold, liveness also at further checks.
func properties(at model.Check, safe, live, inOrder bool, differs map[string]string, also ...model.Check) []printed.Property {
	cell := func(name string, holds bool, claims ...string) printed.Property {
		p := printed.Property{Name: name, Text: yesNo(holds), Holds: holds, Claims: claims, Check: at, Differs: differs[name]}
		if holds && name != order {
			p.Also = also
		}
		return p
	}
	return []printed.Property{
		cell(safety, safe, "mutual exclusion"),
		cell(liveness, live, "deadlock freedom", "every request is granted"),
		cell(order, inOrder, "happened-before order"),
	}
}

// talking is happened-before order, "No" of a lock whose own messages keep it: applications may tell
// each other of their requests, which the definition of happened-before counts. What the lock's messages
// keep by themselves is not printed, and stands beside it.
func talking(applications, alone model.Check) []printed.Property {
	claims := []string{"happened-before order"}
	return []printed.Property{
		{Name: order, When: "applications tell each other", Text: yesNo(false), Claims: claims, Check: applications},
		{Name: order, When: "by the lock's messages alone", Claims: claims, Check: alone},
	}
}

func yesNo(holds bool) string {
	if holds {
		return "Yes"
	}
	return "No"
}
