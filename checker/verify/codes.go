package verify

// The exit codes.
const (
	exitHolds    = 0  // every claim holds, or was sampled to the end of its budget
	exitViolated = 1  // a claim is violated
	exitUsage    = 2  // bad usage or bad input
	exitLimit    = 3  // a limit was hit, and nothing is violated
	exitInternal = 70 // a bug of the tool
)
