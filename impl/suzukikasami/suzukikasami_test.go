package suzukikasami_test

import (
	"testing"

	"contend/checker"
	"contend/impl/suzukikasami"
)

func Test(t *testing.T) { checker.Test(t, suzukikasami.Protocol) }
