package nack_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast/nack"
)

func Test(t *testing.T) { checker.Test(t, nack.Protocol) }
