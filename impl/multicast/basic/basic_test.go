package basic_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast/basic"
)

func Test(t *testing.T) { checker.Test(t, basic.Protocol) }
