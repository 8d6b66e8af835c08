// Package exhaustive makes a planned row by a search of all states, and confirms with the interpreter what the
// search finds. It also finds the minimum and the maximum of a cost.
//
// row.go makes the row, search.go sets up the search, confirm.go confirms candidates, and result.go converts the
// search's result. merged.go tests the merging of foreign objects. from.go begins a search at the end of a run,
// checkpoints.go names the checkpoints of searches, and drawn.go draws the state space. cost.go searches for a cost,
// whose row is in costrow.go. shortest.go searches for the shortest run that breaks a claim. refuse.go validates
// options before the first search.
package exhaustive
