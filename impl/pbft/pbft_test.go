package pbft_test

import (
	"testing"

	"contend/checker"
	"contend/impl/pbft"
)

func Test(t *testing.T) { checker.Test(t, pbft.Protocol) }
