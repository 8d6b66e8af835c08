package sequencer_test

import (
	"testing"

	"contend/checker"
	"contend/impl/multicast/sequencer"
)

func Test(t *testing.T) { checker.Test(t, sequencer.Protocol) }
