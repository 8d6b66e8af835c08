package exhaustive

import (
	"testing"
	"time"

	"contend/checker/merging"
	"contend/checker/search"
	"contend/checker/verdict"
)

// What stops a check stops what follows its search.
func TestStoppedFromOutside(t *testing.T) {
	closed := make(chan struct{})
	close(closed)
	for _, c := range []struct {
		opt  verdict.Options
		want string
	}{
		{verdict.Options{}, ""},
		{verdict.Options{Timeout: time.Hour}, ""},
		{verdict.Options{Timeout: time.Minute}, search.Timeout},
		{verdict.Options{Interrupt: make(chan struct{})}, ""},
		{verdict.Options{Interrupt: closed}, search.Interrupted},
	} {
		x := &exhaustive{opt: c.opt, began: time.Now().Add(-2 * time.Minute)}
		if c.want != "" {
			if is, err := (merging.Search{Stopped: x.stopped}).Test(nil, time.Hour); err != nil || is.Schedules > 0 {
				t.Errorf("%+v: %d schedules, %v", c.opt, is.Schedules, err)
			}
		}
		if got := x.stopped(); got != c.want {
			t.Errorf("%+v: stopped by %q, want %q", c.opt, got, c.want)
		}
	}
}
