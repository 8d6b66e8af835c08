// Racy adds one to a number in three goroutines, which lock it to read and lock it again to write, and prints the number.
package main

import (
	"sync"

	"contend/model/program/sim"
)

func init() { sim.Main(main) }

func main() {
	var mu sync.Mutex
	n := 0
	get := func() int { mu.Lock(); defer mu.Unlock(); return n }
	set := func(v int) { mu.Lock(); defer mu.Unlock(); n = v }
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { set(get() + 1) })
	}
	wg.Wait()
	println("counted", n)
	select {}
}
