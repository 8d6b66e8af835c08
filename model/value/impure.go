package value

import "fmt"

// An Impure error says that a handler is not a function of what it is given, or that the New of
// a node is not one of nothing.
type Impure struct{ Text string }

func (e Impure) Error() string { return e.Text }

// Unlike says that two runs of a handler of a node on the same came to different things.
func Unlike(n any, handler, differs string) Impure {
	return Impure{fmt.Sprintf("%s of %T is not deterministic: two runs on the same state differ in %s", handler, n, differs)}
}
