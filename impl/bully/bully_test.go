package bully_test

import (
	"testing"

	"contend/checker"
	"contend/impl/bully"
)

func Test(t *testing.T) { checker.Test(t, bully.Protocol) }
