package paxos_test

import (
	"testing"

	"contend/checker"
	"contend/impl/paxos"
)

func Test(t *testing.T) { checker.Test(t, paxos.Protocol) }
