package starter

import (
	"testing"

	"contend/checker"
	"contend/checker/rapidcheck"
)

// TestProtocol checks the claims, and that each mutant breaks the claim it names.
func TestProtocol(t *testing.T) { checker.Test(t, Protocol) }

// TestByRapid lets rapid look for short runs of larger systems that break a claim.
func TestByRapid(t *testing.T) { rapidcheck.Test(t, Protocol) }

// FuzzProtocol runs schedules of larger systems by bytes, for go test -fuzz FuzzProtocol. The first time that compiles for some minutes.
func FuzzProtocol(f *testing.F) { checker.Fuzz(f, Protocol) }
