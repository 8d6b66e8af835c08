package watch_test

import (
	"strings"
	"testing"
	"time"

	"contend/checker/watch"
	"contend/model/guard"
)

// A crash of the checker itself goes on, with the stack of where it was.
func TestCrashesGoOn(t *testing.T) {
	defer func() {
		c, ok := recover().(watch.Crash)
		if !ok || c.Panic != "a bug" || !strings.Contains(c.String(), "watch_test.go") {
			t.Errorf("%v", c)
		}
	}()
	(&watch.Watch{}).Run(func() error { panic("a bug") })
}

// Many short calls are not taken for a long one where a call is shown by what showed the one before.
// Where other work stops one call for long, it is named: one of several tries is undisturbed.
func TestShortCallsAreNotEndless(t *testing.T) {
	told, err := true, error(nil)
	for try := 0; try < 10 && (told || err != nil); try++ {
		named := false
		w := &watch.Watch{Notify: func(string, time.Duration) { named = true },
			Patience: watch.Patience{Named: 20 * time.Millisecond, GivenUp: 300 * time.Millisecond, Looks: 2 * time.Millisecond}}
		cell, shown := w.Cell(), &guard.Running{Who: anybody{}}
		err = w.Run(func() error {
			for range 400 {
				cell.Call(shown, func() { time.Sleep(time.Millisecond) })
			}
			return nil
		})
		told = named
	}
	if err != nil || told {
		t.Errorf("%v, told %v", err, told)
	}
}

type anybody struct{}

func (anybody) Describe() string { return "a call" }
