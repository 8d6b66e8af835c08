package swim_test

import (
	"testing"

	"contend/checker"
	"contend/impl/swim"
)

func Test(t *testing.T) { checker.Test(t, swim.Protocol) }
