package concurrent_test

import (
	"fmt"
	"maps"
	"math/rand"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"contend/program/concurrent"
)

// A body is a native guest where that is possible.
func TestDefaultGuest(t *testing.T) {
	t.Setenv("CONTEND_GUEST", "")
	r, err := concurrent.Options{Schedules: 1}.Search(t, func() {})
	if err != nil {
		t.Fatal(err)
	}
	checkDefault(t, r)
}

// On both guests the same schedules are run, fail in the same way, and are as small.
func TestGuestsAlike(t *testing.T) {
	bodies := map[string]func(t *testing.T){
		"timers": func(t *testing.T) {
			var mu sync.Mutex
			n := 0
			time.AfterFunc(time.Second, func() { mu.Lock(); n++; mu.Unlock() })
			tick := time.NewTicker(time.Minute)
			<-tick.C
			tick.Stop()
			mu.Lock()
			defer mu.Unlock()
			if time.Since(time.Unix(1_700_000_000, 0)) < time.Minute || n != 1 {
				t.Error(n)
			}
		},
		"a select": func(t *testing.T) {
			a, b := make(chan int, 1), make(chan int, 1)
			go func() { a <- 1 }()
			go func() { b <- 1 }()
			for range 2 {
				select {
				case <-a:
				case <-b:
				}
			}
		},
		"random numbers": func(t *testing.T) {
			var wg sync.WaitGroup
			var mu sync.Mutex
			seen := map[int]bool{}
			for range 2 {
				wg.Go(func() { mu.Lock(); defer mu.Unlock(); seen[rand.Intn(4)] = true })
			}
			wg.Wait()
			if len(seen) == 1 && seen[2] {
				t.Error("2 twice")
			}
		},
		"a loop": func(t *testing.T) {
			var mu sync.Mutex
			done := false
			go func() { mu.Lock(); done = true; mu.Unlock() }()
			for is := false; !is; {
				mu.Lock()
				is = done
				mu.Unlock()
				runtime.Gosched()
			}
		},
		"a race": func(t *testing.T) {
			n, done := 0, make(chan bool, 2)
			go func() { n++; done <- true }()
			go func() { n++; done <- true }()
			<-done
			<-done
		},
	}
	for i, b := range bugs {
		if i%3 == 0 || *full || inside {
			bodies[b.name] = b.body
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		said := map[string]concurrent.Guest{}
		for _, g := range []concurrent.Guest{concurrent.Wasm, concurrent.Native} {
			t.Run(fmt.Sprint(name, "/", g), func(t *testing.T) {
				onBoth(t)
				r, err := concurrent.Options{Guest: g, Schedules: 400}.Search(t, func() { bodies[name](t) })
				if err != nil {
					t.Fatal(err)
				}
				if r.Guest != g && !inside {
					t.Errorf("the guest is %v", r.Guest)
				}
				is := *r
				is.Guest, is.Module = 0, 0
				text := is.String()
				if f := r.Failure; f != nil {
					text += fmt.Sprint("\n", f.Outcome, f.Preemptions, f.After, f.Deviations, len(f.Steps))
					if f.Outcome == concurrent.Failed {
						text += f.Output
					}
				}
				said[text] = g
			})
		}
		if len(said) > 1 {
			t.Errorf("%s: the guests differ: %v", name, said)
		}
	}
}

// A body reads files, lists directories and goes to others on both guests. What it changes is as it was in the next run.
func TestGuestsRead(t *testing.T) {
	for _, g := range []concurrent.Guest{concurrent.Wasm, concurrent.Native} {
		t.Run(g.String(), func(t *testing.T) {
			onBoth(t)
			r, err := concurrent.Options{Guest: g}.Search(t, func() {
				entries, err := os.ReadDir("schedule")
				if err != nil || len(entries) < 5 {
					t.Errorf("%v, %v", entries, err)
				}
				if text, err := os.ReadFile("guests_test.go"); err != nil || !strings.HasPrefix(string(text), "package concurrent_test") {
					t.Errorf("%v", err)
				}
				if _, err := os.Stat("none"); !os.IsNotExist(err) {
					t.Errorf("%v", err)
				}
				f, err := os.Open("doc.go")
				if err != nil || g == concurrent.Native && f.Fd() > 20 {
					t.Errorf("%v, %v", f, err) // files of other runs are open
				}
				if err := os.Chdir("machine"); err != nil {
					t.Error(err)
				}
				if _, err := os.Stat("build.go"); err != nil {
					t.Error(err)
				}
				if dir, err := os.Getwd(); err != nil || !strings.HasSuffix(dir, "/concurrent/machine") {
					t.Errorf("%s, %v", dir, err)
				}
				time.AfterFunc(time.Hour, func() {}) // is left behind, so that the next run begins as the first one did
				counts()
			})
			if err != nil || r.Failure != nil {
				t.Errorf("%v: %v", err, r.Failure)
			}
		})
	}
}

// spins goes round without a point.
func spins() {
	for spun = 0; spun >= 0; spun &= 0xff {
		spun++
	}
}

var spun int

// spinning is where it goes round, or in what the compiler calls at loads and stores.
var spinning = regexp.MustCompile(`goroutine 0 \[running\]:\n(?:runtime\..*\n.*\n)?contend/program/concurrent_test\.spins\(`)

// A body that goes round for ever is stopped, and a native one tells where it was. So does the next body what it does.
func TestGuestsLoop(t *testing.T) {
	for _, g := range []concurrent.Guest{concurrent.Wasm, concurrent.Native} {
		t.Run(g.String(), func(t *testing.T) {
			onBoth(t)
			if g == concurrent.Wasm && !*full && !inside {
				t.Skip("run it with -full")
			}
			r, err := concurrent.Options{Guest: g, NoRaces: true}.Search(t, func() {
				fmt.Println("begins")
				spins()
			})
			if inside {
				return
			}
			if err != nil || r.Failure == nil || r.Failure.Outcome != concurrent.Endless {
				t.Fatalf("%v, %v", err, r)
			}
			text := r.Failure.String()
			for _, want := range []string{"begins", "a goroutine loops, and reaches no point at which another one could run"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in %s", want, text)
				}
			}
			if where := spinning.MatchString(text); where != (g == concurrent.Native) {
				t.Errorf("where it was: %v: %s", where, text)
			}
			if strings.Contains(text, "SIGQUIT") {
				t.Error(text)
			}
		})
	}
}
