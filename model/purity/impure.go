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
