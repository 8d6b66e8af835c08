package wrapped

// The fields that a node with a program shows of it: how the program has exited, if it has, and the lines that it wrote last to its standard
// error, as stderr[-1] and so on.
const (
	Exited = "exited"
	Stderr = "stderr"
)
