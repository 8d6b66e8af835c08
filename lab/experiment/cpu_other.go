//go:build !unix

package experiment

// spent is not known here.
func spent() (seconds float64, known bool) { return 0, false }
