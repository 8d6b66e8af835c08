// Package native runs kernels as plain Go programs, one kernel in a process, with other tools' tests. They
// are compared with package program/concurrent. The command table runs them. Without the flag -kernel they
// are skipped.
package native

import (
	"flag"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"contend/examples/goker"
)

var (
	name     = flag.String("kernel", "", "the name of the kernel to run")
	repaired = flag.Bool("repaired", false, "run its repair")
)

// body returns the body of the kernel to run.
func body(t *testing.T) func(t testing.TB) {
	if *name == "" {
		t.Skip("the command table names a kernel")
	}
	k := goker.Named(*name)
	if k == nil {
		t.Fatalf("there is no kernel %q", *name)
	}
	return func(t testing.TB) { k.Body(t, *repaired) }
}

// TestPlain only runs it. With the race detector it is run so too.
func TestPlain(t *testing.T) { body(t)(t) }

// How long the leak check waits for the body, and then for its goroutines.
const (
	longest = time.Second
	settles = 100 * time.Millisecond
)

// TestLeft fails if goroutines are left that were not there before. A body that does not return is left too.
func TestLeft(t *testing.T) {
	run, ended := body(t), make(chan struct{})
	before := runtime.NumGoroutine()
	go func() {
		defer close(ended)
		run(t)
	}()
	select {
	case <-ended:
	case <-time.After(longest):
	}
	for until := time.Now().Add(settles); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("goroutines are left: %d, before %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestBubble runs the kernel in a bubble of testing/synctest. The bubble detects that all its goroutines wait
// for each other.
func TestBubble(t *testing.T) {
	run := body(t)
	synctest.Test(t, func(t *testing.T) { run(t) })
}
