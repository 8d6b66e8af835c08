// Racy adds one to three numbers in three goroutines, and prints the numbers: they lock the first to read and lock it again to write; load and
// store the second by functions of package sync/atomic; and read and write the third with nothing, which is a data race.
package main

import (
	"sync"
	"sync/atomic"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	var mu sync.Mutex
	n, plain := 0, 0
	var loaded int64
	get := func() int { mu.Lock(); defer mu.Unlock(); return n }
	set := func(v int) { mu.Lock(); defer mu.Unlock(); n = v }
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			atomic.StoreInt64(&loaded, atomic.LoadInt64(&loaded)+1)
			set(get() + 1)
			was := plain
			plain = was + 1
		})
	}
	wg.Wait()
	println("counted", n, loaded, plain)
	select {}
}
