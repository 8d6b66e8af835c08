package purity

import "fmt"

// An Impure error says that a handler is not a function of what it is given, or that the New of
// a node is not one of nothing.
type Impure struct{ Text string }

func (e Impure) Error() string { return e.Text }

// Refusal marks it as a [contend/model.Refusal].
func (Impure) Refusal() {}

// Unlike says that two runs of a handler of a node on the same came to different things.
func Unlike(n any, handler, differs string) Impure {
	return Impure{fmt.Sprintf("%s of %T is not deterministic: two runs on the same state differ in %s", handler, n, differs)}
}

// Reconfigured says that a handler of a node changed what it may only read of it.
func Reconfigured(n any, handler string) Impure {
	return Impure{fmt.Sprintf("%s of %T changes its configuration: unexported fields must stay as they were made, and the fields that are state must be exported", handler, n)}
}

// Overwritten says that a handler of a node changed a message or another value it was given.
func Overwritten(n any, handler string) Impure {
	return Impure{fmt.Sprintf("%s of %T changes the value it was given", handler, n)}
}

// Started says that a handler of a node left a goroutine behind, which it created at a file and line.
func Started(n any, handler, at string) Impure {
	return Impure{fmt.Sprintf("%s of %T leaves a goroutine behind (%s): no handler may start one", handler, n, at)}
}

// Touched says that something was written to a node after a handler had returned that was given it.
func Touched(n any, handler, differs string) Impure {
	return Impure{fmt.Sprintf("the node that %s of %T was given was written to after it had returned, in %s: no handler may keep a node, or what it refers to", handler, n, differs)}
}
