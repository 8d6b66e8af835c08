// Package shrink makes counterexamples smaller. It gives package minimize its searches: for the shortest run of a
// configuration, and for any run in a smaller configuration (anywhere.go).
package shrink
