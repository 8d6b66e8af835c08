package unordered_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast/unordered"
)

func Test(t *testing.T) { checker.Test(t, unordered.Protocol) }
