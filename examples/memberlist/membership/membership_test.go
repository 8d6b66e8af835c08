package membership_test

import (
	"testing"

	"contend/checker"
	"contend/examples/memberlist/membership"
)

func Test(t *testing.T) { checker.Test(t, membership.Protocol) }

func FuzzMemberlist(f *testing.F) { checker.Target{Protocol: membership.Protocol}.Fuzz(f) }
