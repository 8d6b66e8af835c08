package multipaxos_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multipaxos"
)

func Test(t *testing.T) { checker.Test(t, multipaxos.Protocol) }
