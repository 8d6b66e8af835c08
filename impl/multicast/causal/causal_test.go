package causal_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast/causal"
)

func Test(t *testing.T) { checker.Test(t, causal.Protocol) }
