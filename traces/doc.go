// Package traces holds runs as files: the versioned JSON format, how it is written and read, and what
// makes a file valid.
//
// A trace is a protocol, a variant, a configuration and a sequence of steps. A step
// names an event by its kind, its nodes, the type of its value and its occurrence
// among such events, so that it keeps its meaning when other steps are taken out.
// Whatever is in a file, reading and replaying it ends in a run or in one sentence
// that says what is wrong.
package traces
