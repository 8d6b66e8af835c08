package search

// For tests that take what a search finds to the interpreter, whose package imports this one.
var (
	Alike     = alike
	Gossiping = gossiping
	Few       = few
)
