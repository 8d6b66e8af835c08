// Package tables has the tables of the SDX lecture Coordination and Agreement, with the checks that compute each cell.
// There are tables of locks, elections, multicasts, and implications between orders of messages. Each lock has a file
// with its row, and this file has the common parts. Locks that are not in the lecture have the numbers of their own
// papers. A new row is a few lines in elections.go, multicasts.go or implications.go, and an entry of [All].
//
// The lecture's columns of locks: "Bandwidth: number of messages sent in each entry and exit operation"; "Client delay
// … incurred by a process at each entry operation", "When no other process is in the CS, or waiting"; "Synchronization
// delay … between a process exiting the critical section and the next process entering it", "When there is only one
// process waiting"; both delays "measured in message latencies". Safety, liveness and happened-before order are
// "assuming that processes do not fail and message delivery is reliable".
package tables

import (
	"slices"

	"contend/model"
	"contend/model/printed"
)

// All returns the rows of all tables, in the order of the page.
func All() []*printed.Comparison {
	return slices.Concat(
		rows(&printed.Table{Name: "locks"}, centralizedLock, linA, linB, ricartagrawala, maekawaLock, tokenRing,
			suzukiKasami, naimiThiare, sigmaLock, backoffLock),
		rows(elections, bullyElection(), changRobertsElection(), enhancedRingElection()),
		rows(multicasts, unorderedMulticast.row(), basicMulticast.row(), nackMulticast.row(), fifoMulticast.row(),
			causalMulticast.row(), sequencerMulticast.row(), agreedMulticast.row(), viewMulticast.row()),
		rows(implications, implicationRows()...),
	)
}

// rows returns the rows of a table.
func rows(t *printed.Table, rows ...*printed.Comparison) []*printed.Comparison {
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

// constant returns a number that is independent of the size.
func constant(is int) func(int) int { return func(int) int { return is } }

// lessOne returns a multiple of the size minus one.
func lessOne(a int) func(int) int { return func(size int) int { return a * (size - 1) } }

// number returns a cell with formulas for the least and the most value. A formula is nil where nothing is printed.
func number(cost, when, text string, least, most func(int) int, at func(n int) model.Check, sizes []int, more ...int) printed.Number {
	return printed.Number{Cost: cost, When: when, Text: text, Least: least, Most: most, At: at, Sizes: sizes, More: more}
}

// difference returns a cell that is known to differ from the printed number, with the reason.
func difference(n printed.Number, why string) printed.Number {
	n.Differs = why
	return n
}

// inTime returns a delay as a time. Each message takes at most one tick, so the most time is the printed number.
func inTime(cost, when, text string, most func(int) int, at func(n int) model.Check, sizes []int, more ...int) printed.Number {
	onGrid := func(n int) model.Check {
		c := at(n)
		c.Reading = model.Grid
		return c
	}
	return number(cost, when, text, nil, most, onGrid, sizes, more...)
}

// check returns the untimed check of a cell, for each n, with parameters.
func check(with ...model.Setting) func(n int) model.Check {
	return func(n int) model.Check { return model.Check{Config: model.Config{N: n}.With(with...)} }
}

// faulty returns a check with faults that violate the assumptions of claims.
func faulty(n int, faults model.Faults, with ...model.Setting) model.Check {
	return model.Check{Config: model.Config{N: n, Faults: faults}.With(with...), AssumeAnyway: true}
}

// The lecture's properties.
const (
	safety   = "safety"
	liveness = "liveness"
	order    = "happened-before order"
)

// properties returns the last three columns: the lecture's verdicts, a check that decides them, and known differences.
// Safety, and liveness if it is said to hold, have further checks.
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

// messageOrder returns happened-before order of a lock whose own messages preserve it, although the lecture says "No".
// Applications may send each other messages about their requests, and happened-before includes these. The order by the
// lock's messages alone is computed beside it, and is not printed.
func messageOrder(applications, alone model.Check) []printed.Property {
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
