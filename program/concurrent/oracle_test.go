package concurrent

// What the two sides of the oracle share.
const (
	programVariable = "CONTEND_LITMUS" // the environment variable with the program, in JSON
	tellMark        = "tells"          // in place of a function where a body tells something
)
