package planted

import (
	"sync"
	"testing"

	"contend/checker/concurrent"
)

func TestLostUpdate(t *testing.T) {
	concurrent.Test(t, func() {
		var mu sync.Mutex
		n := 0
		get := func() int { mu.Lock(); defer mu.Unlock(); return n }
		set := func(v int) { mu.Lock(); defer mu.Unlock(); n = v }
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { set(get() + 1) })
		}
		wg.Wait()
		if n != 2 {
			t.Errorf("n is %d", n)
		}
	})
}
