package concurrent_test

import (
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/program/concurrent"
)

// The first five lines of a failure name its cause, with the place.
func TestCause(t *testing.T) {
	for _, c := range []struct {
		name string
		want string // in the first five lines
		body func(t *testing.T)
	}{
		{"panic", `^panic: send on closed channel\n`, func(*testing.T) {
			c := make(chan int, 1)
			close(c)
			c <- 1
		}},
		{"race", `^data race: .*\n(read|write) by goroutine \d, at cause_test.go:\d+.*\nraces with an earlier (read|write) by goroutine \d, at cause_test.go:\d+`, func(*testing.T) {
			n := 0
			go func() { n++ }()
			n++
		}},
		{"deadlock", `^deadlock: .*\ngoroutine 0 waits since step \d: receive of channel 1 at cause_test.go:\d+\n`, func(*testing.T) {
			<-make(chan int)
		}},
		{"no cases", `^leak: .*\ngoroutine 1 waits: select \(no cases\)\n`, func(*testing.T) {
			go func() { select {} }()
		}},
		{"cond", `^leak: .*\ngoroutine 1 waits after step \d: sync.Cond.Wait at cause_test.go:\d+\na schedule`, func(*testing.T) {
			go func() {
				c := sync.NewCond(&sync.Mutex{})
				c.L.Lock()
				c.Wait()
			}()
		}},
		{"beside a ticker", `^deadlock: .*\ngoroutine 0 waits since step \d+: receive of channel \d at cause_test.go:\d+\na schedule`, func(*testing.T) {
			go func() {
				for range time.Tick(time.Second) {
				}
			}()
			<-make(chan int)
		}},
		{"failed", `^the body fails the test\nthe body wrote:\ncause_test.go:\d+: it failed\n`, func(t *testing.T) {
			var n atomic.Int32
			var wg sync.WaitGroup
			wg.Go(func() { n.Add(1) })
			time.Sleep(time.Nanosecond)
			wg.Wait()
			t.Error("it failed")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := concurrent.Options{Schedules: 100}.Search(t, func() { c.body(t) })
			if err != nil || r.Failure == nil {
				t.Fatalf("%v, %v", r, err)
			}
			text := r.Failure.String()
			if first := strings.Join(strings.SplitN(text, "\n", 6)[:5], "\n"); !regexp.MustCompile(c.want).MatchString(first) {
				t.Errorf("want %s\n%s", c.want, text)
			}
		})
	}
}
