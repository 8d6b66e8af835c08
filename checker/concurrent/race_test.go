package concurrent_test

import (
	"sync"
	"testing"

	"contend/checker/concurrent"
)

func TestRaceX(t *testing.T) {
	r, err := concurrent.Options{}.Search(t, func() {
		n := 0
		var wg sync.WaitGroup
		wg.Go(func() { n++ })
		wg.Go(func() { n++ })
		wg.Wait()
	})
	t.Log(r, err)
	if r.Failure != nil {
		t.Log(r.Failure)
	}
}
