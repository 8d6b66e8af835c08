package purity

import "fmt"

// An Impure is the error of a handler or a New that is not a pure function.
type Impure struct{ Text string }

func (e Impure) Error() string { return e.Text }

// Refusal implements [contend/model.Refusal].
func (Impure) Refusal() {}

// Unlike returns the error of a handler with different results for equal arguments and states.
func Unlike(n any, handler, differs string) Impure {
	return Impure{fmt.Sprintf("%s of %T is not deterministic: two runs on the same state differ in %s", handler, n, differs)}
}

// Reconfigured returns the error of a handler that changed the configuration of its node.
func Reconfigured(n any, handler string) Impure {
	return Impure{fmt.Sprintf("%s of %T changes its configuration: unexported fields must stay as they were made, and the fields that are state must be exported", handler, n)}
}

// Overwritten returns the error of a handler that changed a message or another argument.
func Overwritten(n any, handler string) Impure {
	return Impure{fmt.Sprintf("%s of %T changes the value it was given", handler, n)}
}

// Started returns the error of a handler that left a goroutine behind, created at the given file:line.
func Started(n any, handler, place string) Impure {
	return Impure{fmt.Sprintf("%s of %T leaves a goroutine behind (%s): no handler may start one", handler, n, place)}
}

// Touched returns the error of a node that was changed after its handler had returned.
func Touched(n any, handler, differs string) Impure {
	return Impure{fmt.Sprintf("the node that %s of %T was given was written to after it had returned, in %s: no handler may keep a node, or what it refers to", handler, n, differs)}
}
