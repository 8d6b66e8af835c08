package fifo_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast/fifo"
)

func Test(t *testing.T) { checker.Test(t, fifo.Protocol) }
