package backoff_test

import (
	"testing"

	"contend/checker"
	"contend/impl/backoff"
)

func Test(t *testing.T) { checker.Test(t, backoff.Protocol) }
