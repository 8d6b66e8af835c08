// Package xsync tests the concurrent hash map of github.com/puzpuzpuz/xsync under all schedules with few preemptions.
package xsync

import (
	"fmt"
	"sync"
	"testing"

	old "github.com/puzpuzpuz/xsync/v2"
	fixed "github.com/puzpuzpuz/xsync/v3"

	"contend/program/concurrent"
)

// hashMap is the interface of both releases.
type hashMap interface {
	Store(key string, value any)
	Load(key string) (value any, ok bool)
}

// full is the number of keys that a map of 32 buckets with 3 places each holds before it may grow.
const full = 32*3*3/4 + 1

// stored makes two goroutines store keys while the map grows, and then looks up all keys.
func stored(t *testing.T, m hashMap) {
	key := func(i int) string { return fmt.Sprint("key ", i) }
	for i := range full {
		m.Store(key(i), i)
	}
	const more = 4
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range more {
			m.Store(key(full+i), full+i)
		}
	})
	wg.Go(func() { m.Store(key(full+more), full+more) })
	wg.Wait()
	for i := range full + more + 1 {
		if v, ok := m.Load(key(i)); !ok || v != i {
			t.Errorf("key %d has the value %v, %v", i, v, ok)
		}
	}
}

// A key that is stored while the map grows can be lost up to v3.0.0 (https://github.com/puzpuzpuz/xsync/issues/109).
func TestOld(t *testing.T) {
	r, err := concurrent.Options{}.Search(t, func() { stored(t, old.NewMap()) })
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil {
		t.Fatalf("no key is lost: %v", r)
	}
	t.Logf("%v\n%v", r, r.Failure)
}

func TestFixed(t *testing.T) {
	concurrent.Test(t, func() { stored(t, fixed.NewMap()) })
}
