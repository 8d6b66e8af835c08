// Ticker counts the ticks of a clock and the calls of its application, in goroutines of its own, and keeps both in a file.
package main

import (
	crand "crypto/rand"
	"fmt"
	"math/rand"
	"os"
	"sync"
	"time"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	var mu sync.Mutex
	seen := map[string]int{}
	log, err := os.OpenFile("/log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	note := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		seen[what]++
		fmt.Fprintf(log, "%s %d\n", what, seen[what])
		sim.Note(fmt.Sprint(what, " ", seen[what], " at ", time.Now().UnixMilli(), " of ", len(seen)))
	}
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			note("tick")
		}
	}()
	for {
		call := sim.Invoked()
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				time.Sleep(time.Duration(rand.Intn(50)) * time.Millisecond)
				note(call)
			})
		}
		wait.Wait()
		b, _ := os.ReadFile("/log")
		sim.Return(fmt.Sprint(len(b), " ", crand.Text()))
	}
}
