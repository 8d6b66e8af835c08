package starter

import (
	"testing"

	"contend/checker"
)

// TestProtocol checks the claims, and that each mutant breaks the claim it names.
func TestProtocol(t *testing.T) { checker.Test(t, Protocol) }
