package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 600, 4 << 20: 600, 8 << 20: 300, 20 << 20: 120, 24 << 20: 100, 1 << 40: 100} {
		assert.Equal(t, want, percent(live), "%d bytes", live)
	}
}

// gogc is the percentage in force.
func gogc() int {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
}

// collectUntil collects until the percentage in force is as wanted, since finalizers run some time after a collection.
func collectUntil(t *testing.T, wanted func(percent int) bool) {
	require.Eventually(t, func() bool {
		runtime.GC()
		return wanted(gogc())
	}, time.Minute, time.Millisecond)
}

// TestRoom follows the percentage as the heap grows and shrinks, and as somebody else sets one.
func TestRoom(t *testing.T) {
	t.Setenv("GOGC", "")
	was := debug.SetGCPercent(100)
	defer debug.SetGCPercent(was)
	Room()
	small := gogc()
	assert.Greater(t, small, 150, "the heap is small")

	kept := make([]byte, Garbage)
	collectUntil(t, func(percent int) bool { return percent <= 100 })
	runtime.KeepAlive(kept)
	collectUntil(t, func(percent int) bool { return percent > 150 })

	debug.SetGCPercent(50)
	for range 10 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	assert.Equal(t, 50, gogc(), "somebody else's stays")
}
