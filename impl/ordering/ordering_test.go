package ordering_test

import (
	"testing"

	"contend/checker"
	"contend/impl/ordering"
)

func Test(t *testing.T) { checker.Test(t, ordering.Protocol) }
