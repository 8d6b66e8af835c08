package tokenring_test

import (
	"testing"

	"contend/checker"
	"contend/impl/tokenring"
)

func Test(t *testing.T) { checker.Test(t, tokenring.Protocol) }
