package raft_test

import (
	"testing"

	"contend/checker"
	"contend/impl/raft"
)

func Test(t *testing.T) { checker.Test(t, raft.Protocol) }
