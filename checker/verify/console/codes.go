package console

// The exit codes.
const (
	ExitHolds    = 0  // every claim holds, or was sampled to the end of its budget
	ExitViolated = 1  // a claim is violated
	ExitUsage    = 2  // bad usage or bad input
	ExitLimit    = 3  // a limit was hit or a row put nothing to the test, and nothing is violated
	ExitInternal = 70 // a bug of the tool
)
