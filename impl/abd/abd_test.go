package abd_test

import (
	"testing"

	"contend/checker"
	"contend/impl/abd"
)

func Test(t *testing.T) { checker.Test(t, abd.Protocol) }
