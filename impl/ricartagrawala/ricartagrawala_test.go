package ricartagrawala_test

import (
	"testing"

	"contend/checker"
	"contend/impl/ricartagrawala"
)

func Test(t *testing.T) { checker.Test(t, ricartagrawala.Protocol) }
