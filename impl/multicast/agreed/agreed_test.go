package agreed_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast/agreed"
)

func Test(t *testing.T) { checker.Test(t, agreed.Protocol) }
