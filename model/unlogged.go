package model

import (
	"reflect"
	"slices"
)

// Unlogged has what logs of implementations may leave out, though they have entries of its kind: one value of each
// type. A kind without any entry in the logs may be left out without a declaration.
type Unlogged struct {
	// Alarms has keys of alarms that may fire without an entry.
	Alarms []any
	// Sends and Receives have messages that may be sent, or arrive, without an entry.
	Sends, Receives []any
	// Notes has notes without an entry.
	Notes []any
}

// MaySend reports whether a message may be sent without an entry.
func (u Unlogged) MaySend(m any) bool {
	return slices.ContainsFunc(u.Sends, func(v any) bool { return reflect.TypeOf(v) == reflect.TypeOf(m) })
}

// A Viewed node, message or note has more fields in logs of implementations than its type. View returns a struct with
// these fields, of one type for all values of the node's, message's or note's type, also for a zero value. It must be a
// pure function.
type Viewed interface{ View() any }
