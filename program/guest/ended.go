package guest

import "strings"

// Ended returns what an exit of a program with a code and what it wrote last amounts to: an [*Exit], or, where the Go runtime ended it after a
// panic or a fatal error, a [*Failure].
func Ended(code int, written string) error {
	// The Go runtime exits with code 2 then.
	if cause := Cause(written); code == 2 && cause != "" {
		return &Failure{Text: cause, Trace: written}
	}
	return &Exit{Code: code, Output: written}
}

// Cause finds the line in which the Go runtime says why it ends the program, "" if there is none.
func Cause(written string) string {
	for line := range strings.Lines(written) {
		for _, prefix := range []string{"panic: ", "fatal error: ", "runtime: out of memory"} {
			if strings.HasPrefix(line, prefix) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}

// MostErrors is how much of the standard error is kept, in bytes.
const MostErrors = 64 << 10

// Written appends to the end of what a program wrote.
func Written(before, more []byte) []byte {
	if before = append(before, more...); len(before) > 2*MostErrors {
		before = append([]byte(nil), before[len(before)-MostErrors:]...)
	}
	return before
}
