package chandylamport_test

import (
	"testing"

	"contend/checker"
	"contend/impl/chandylamport"
)

func Test(t *testing.T) { checker.Test(t, chandylamport.Protocol) }
