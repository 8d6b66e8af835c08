package console

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Without a terminal a line is printed once a minute, and none between checks that take less.
func TestHeartbeat(t *testing.T) {
	var b strings.Builder
	s := NewStatus(&b)
	tell := func() { s.Tell(func() string { return "so far" }) }
	tell()
	assert.Empty(t, b.String())
	s.last = s.last.Add(-59 * time.Second)
	tell()
	assert.Empty(t, b.String(), "it is not a minute yet")
	s.last = s.last.Add(-2 * time.Second)
	tell()
	tell()
	assert.Equal(t, "so far\n", b.String())
	s.last = s.last.Add(-time.Hour)
	s.Begin(1, 31)
	tell()
	assert.Equal(t, "so far\n", b.String(), "the check before took no minute by itself")
}
