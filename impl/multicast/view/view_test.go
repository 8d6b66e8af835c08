package view_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast/view"
)

func Test(t *testing.T) { checker.Test(t, view.Protocol) }
