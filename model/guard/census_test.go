package guard_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model/guard"
)

// found makes a call until a Census detects a goroutine, a few times at most, and returns the place.
func found(c *guard.Census, do func()) (at string) {
	for range 20 {
		if at = c.Call(do); at != "" {
			return at
		}
	}
	return ""
}

// A call that leaves a goroutine behind is detected at the second time at the latest, with the line of the go
// statement. A call that waits for its goroutines is not, and neither are goroutines of others.
func TestCensus(t *testing.T) {
	end := make(chan bool)
	defer close(end)
	starts := func() { go func() { <-end }() }
	ask, started := make(chan bool), make(chan bool)
	defer close(ask)
	go func() {
		for range ask {
			starts()
			started <- true
		}
	}()
	for _, c := range []struct {
		name, at string
		do       func()
	}{
		{"a goroutine", "guard/census_test.go:40", func() { go func() { <-end }() }},
		{"below other calls", "guard/census_test.go:27", func() { func() { starts() }() }},
		{"a function of a library", "guard/census_test.go:42", func() { go sleepUntil(end) }},
		{"many", "guard/census_test.go:27", func() {
			for range 100 {
				starts()
			}
		}},
		{"none", "", func() {}},
		{"one that is waited for", "", func() { elsewhere(func() {}) }},
		{"another's", "", func() {
			ask <- true
			<-started
		}},
	} {
		var counts, looks guard.Census
		assert.Equal(t, c.at, found(&counts, c.do), c.name)
		if looks.Look(); c.at != "" {
			assert.Equal(t, c.at, looks.Call(c.do), "%s, at the first call", c.name)
		}
	}
}

// A goroutine that a call waited for is not left behind, although it may not have ended yet.
func TestCensusOfGoroutinesThatEnd(t *testing.T) {
	for range 200 {
		var c guard.Census
		c.Look()
		assert.Empty(t, c.Call(func() {
			done := make(chan bool)
			go func() {
				close(done)
				for range 50 {
					runtime.Gosched()
				}
			}()
			<-done
		}))
	}
}

func sleepUntil(end chan bool) { <-end }

// A call that fails is counted as any other, and the next one is found.
func TestCensusOfFailures(t *testing.T) {
	end := make(chan bool)
	defer close(end)
	var c guard.Census
	for range 10 {
		guard.Call(func() { c.Call(func() { panic("it fails") }) })
	}
	assert.NotEmpty(t, found(&c, func() { go func() { <-end }() }))
}
