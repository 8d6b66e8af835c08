package rapidcheck_test

import (
	"testing"

	"contend/checker/rapidcheck"
	"contend/checker/verify/starter"
)

// In a test file: func TestByRapid(t *testing.T) { rapidcheck.Test(t, mylock.Protocol) }.
func ExampleTest() {
	_ = func(t *testing.T) { rapidcheck.Test(t, starter.Protocol) }
}
