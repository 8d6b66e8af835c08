package threephase_test

import (
	"testing"

	"contend/checker"
	"contend/impl/threephase"
)

func Test(t *testing.T) { checker.Test(t, threephase.Protocol) }
