package concurrent_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"contend/program/concurrent"
)

// counts has two goroutines count, such that there are several schedules.
func counts() int32 {
	var n atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() { n.Add(1) })
	wg.Go(func() { n.Add(1) })
	wg.Wait()
	return n.Load()
}

// What a body does with its test works in each schedule as in a test of its own.
func TestBodyUsesTheTest(t *testing.T) {
	for name, body := range map[string]func(t *testing.T){
		"subtests": func(t *testing.T) {
			for _, name := range []string{"a", "a", "b"} {
				t.Run(name, func(t *testing.T) {
					if want := map[string]string{"TestBodyUsesTheTest/subtests/b": "", "TestBodyUsesTheTest/subtests/a": "", "TestBodyUsesTheTest/subtests/a#01": ""}; counts() != 2 {
						t.Error("want 2")
					} else if _, is := want[t.Name()]; !is {
						t.Errorf("the name is %s", t.Name())
					}
				})
			}
		},
		"a subtest is skipped": func(t *testing.T) {
			ran := false
			t.Run("skipped", func(t *testing.T) { t.Skip("not here") })
			t.Run("other", func(t *testing.T) { ran = counts() == 2 })
			if !ran {
				t.Error("the other subtest does not run")
			}
		},
		"cleanup": func(t *testing.T) {
			done := make(chan bool)
			t.Cleanup(func() { <-done })
			t.Cleanup(func() { close(done) })
			counts()
		},
		"context": func(t *testing.T) {
			ctx := t.Context()
			if ctx.Err() != nil || ctx != t.Context() {
				t.Error("a context of another run")
			}
			ended := make(chan bool)
			go func() { <-ctx.Done(); close(ended) }()
			t.Cleanup(func() { <-ended })
		},
		"context of a subtest": func(t *testing.T) {
			var ctx context.Context
			t.Run("it", func(t *testing.T) { ctx = t.Context(); counts() })
			if ctx.Err() == nil {
				t.Error("the context does not end with its subtest")
			}
		},
		"environment": func(t *testing.T) {
			if os.Getenv("CONTEND_TRIAL") != "" {
				t.Error("the environment of another run")
			}
			t.Setenv("CONTEND_TRIAL", "1")
			counts()
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := concurrent.Options{Schedules: 300}.Search(t, func() { body(t) })
			if err != nil || r.Failure != nil {
				t.Errorf("%v: %v\n%v", err, r, r.Failure)
			} else if r.Fresh || r.Skipped > 0 {
				t.Errorf("runs differ: %v", r)
			}
		})
	}
}

// A failure names the subtest and the line, and the helper's caller.
func TestSubtestFails(t *testing.T) {
	r, err := concurrent.Options{}.Search(t, func() {
		check := func(t *testing.T, n int32) {
			t.Helper()
			if n != 2 {
				t.Errorf("n is %d", n)
			}
		}
		t.Run("good", func(t *testing.T) { check(t, counts()) })
		t.Run("bad", func(t *testing.T) {
			var n atomic.Int32
			var wg sync.WaitGroup
			wg.Go(func() { n.Store(n.Load() + 1) })
			wg.Go(func() { n.Store(n.Load() + 1) })
			wg.Wait()
			check(t, n.Load()) // the line
		})
	})
	if err != nil || r.Failure == nil {
		t.Fatalf("%v: %v", r, err)
	}
	if text := r.Failure.String(); r.Failure.Outcome != concurrent.Failed || !strings.Contains(text, "TestSubtestFails/bad") || !strings.Contains(text, "n is 1") || strings.Contains(text, "good") {
		t.Error(text)
	}
}

// If the first schedule skips the test no others are run.
func TestBodySkips(t *testing.T) {
	r, err := concurrent.Options{}.Search(t, func() {
		counts()
		t.Skip("not here")
	})
	if err != nil || r.Failure != nil || r.Skipped != 1 || r.Schedules != 1 {
		t.Errorf("%v, %v", r, err)
	}
}

// What a body cannot do is refused by a sentence, unless a schedule fails for another reason.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		want string
		body func(t *testing.T)
	}{
		{"a file is written", "the body writes the file /tmp/contend, and a body can read files only", func(*testing.T) { _ = os.WriteFile("/tmp/contend", nil, 0o600) }},
		{"a directory is made", "the body makes the directory /tmp/contend, and", func(*testing.T) { _ = os.Mkdir("/tmp/contend", 0o700) }},
		{"a file is removed", "the body removes the file /tmp/contend, and", func(*testing.T) { _ = os.Remove("/tmp/contend") }},
		{"a program", "the body runs the program ./true, and a body cannot run programs", func(*testing.T) { _ = exec.Command("./true").Run() }},
		{"a process", "the body runs the program /bin/true, and a body cannot run programs", func(*testing.T) { _, _ = os.StartProcess("/bin/true", nil, &os.ProcAttr{}) }},
		{"a parallel subtest", "the body calls t.Parallel, and a body begins goroutines instead", func(t *testing.T) { t.Run("it", func(t *testing.T) { t.Parallel() }) }},
		{"the test is parallel", "the body calls t.Parallel, and", func(t *testing.T) { t.Parallel() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := concurrent.Options{}.Search(t, func() { c.body(t) })
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || r.Failure != nil {
				t.Errorf("%v: %v, want %s", err, r, c.want)
			}
		})
	}
	t.Run("a file is read", func(t *testing.T) {
		r, err := concurrent.Options{}.Search(t, func() {
			if text, err := os.ReadFile("/dev/null"); err != nil || len(text) > 0 {
				t.Error(err)
			}
			if _, err := os.ReadFile("body_test.go"); err != nil {
				t.Error(err)
			}
		})
		if err != nil || r.Failure != nil {
			t.Errorf("%v: %v", err, r.Failure)
		}
	})
	t.Run("a failure says so", func(t *testing.T) {
		r, err := concurrent.Options{}.Search(t, func() { t.TempDir() })
		if err != nil || r.Failure == nil {
			t.Fatalf("%v, %v", r, err)
		}
		if text := r.Failure.String(); !strings.HasPrefix(text, "the body fails the test\nthe body makes the directory /tmp/") {
			t.Error(text)
		}
	})
}
