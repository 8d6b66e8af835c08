// Alike tells of what runs of a program could differ in: timers, the order of goroutines, locks, channels, the environment, files.
package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	var words []string
	a := make(chan int, 4)
	var mu sync.RWMutex
	for i := range 3 {
		go func() {
			for {
				time.Sleep(time.Duration(3+2*i) * time.Millisecond)
				mu.Lock()
				words = append(words, fmt.Sprint(i))
				mu.Unlock()
				select {
				case a <- i:
				case <-time.After(time.Millisecond):
				}
			}
		}()
	}
	sim.View(func() []byte { return fmt.Append(nil, len(words), " words") })
	for n := 0; ; n++ {
		call := sim.Invoked()
		mu.RLock()
		order := slices.Clone(words[max(0, len(words)-9):])
		mu.RUnlock()
		select {
		case i := <-a:
			order = append(order, "a", fmt.Sprint(i))
		default:
		}
		_, err := os.Stat("/none")
		os.WriteFile(fmt.Sprint("/file", n%3), []byte(call), 0o600)
		files, _ := os.ReadDir("/")
		sim.Return(fmt.Sprint(order, os.IsNotExist(err), files, os.Args, os.Environ(), runtime.NumCPU(), runtime.NumGoroutine(), os.Getpid(), time.Now().UnixNano()))
	}
}
