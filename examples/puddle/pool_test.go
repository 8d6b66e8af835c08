// Package puddle tests the resource pool of github.com/jackc/puddle under all schedules with few preemptions.
package puddle

import (
	"context"
	"sync"
	"testing"

	fixed "github.com/jackc/puddle"
	old "old.example/puddle"

	"contend/program/concurrent"
)

// A resource is the interface that the resources of both releases implement.
type resource interface{ Release() }

// canceled makes a goroutine wait for the only resource of a pool. The wait is canceled while the resource is
// released.
func canceled[R resource](t *testing.T, acquire func(context.Context) (R, error), shut func()) {
	held, err := acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if r, err := acquire(ctx); err == nil {
			r.Release()
		}
	})
	wg.Go(cancel)
	held.Release()
	wg.Wait()
	shut()
}

func create(context.Context) (any, error) { return 1, nil }

func destroy(any) {}

// Up to v1.0.0 the pool stays locked if a waiter is canceled while it is signaled
// (https://github.com/jackc/puddle/pull/2).
func TestOld(t *testing.T) {
	r, err := concurrent.Options{}.Search(t, func() {
		p := old.NewPool(create, destroy, 1)
		canceled(t, p.Acquire, p.Close)
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil {
		t.Fatalf("the pool is not left locked: %v", r)
	}
	t.Logf("%v\n%v", r, r.Failure)
}

func TestFixed(t *testing.T) {
	concurrent.Test(t, func() {
		p := fixed.NewPool(create, destroy, 1)
		canceled(t, p.Acquire, p.Close)
	})
}
