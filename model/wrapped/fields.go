package wrapped

// The names of fields of a node with a program: the exit status of the program, if it has exited, and its last
// lines on standard error, as stderr[-1] and so on.
const (
	Exited = "exited"
	Stderr = "stderr"
)
