package centralized_test

import (
	"testing"

	"contend/checker"
	"contend/impl/centralized"
)

func Test(t *testing.T) { checker.Test(t, centralized.Protocol) }
