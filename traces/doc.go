// Package traces implements the file format of runs: versioned JSON, with a reader, a writer and a validator.
//
// A trace has a protocol, a variant, a configuration and a sequence of steps. A step names an event by its
// kind, its nodes, the type of its value and its occurrence among such events. A step has the same meaning
// after other steps are removed. Reading and replaying any file ends with a run or with an error of one
// sentence.
package traces
