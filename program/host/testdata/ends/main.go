// Ends ends in the way that its first argument says.
package main

import (
	"fmt"
	"os"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	fmt.Fprintln(os.Stderr, "it begins")
	switch os.Args[1] {
	case "panic":
		go func() { panic("on purpose") }()
		select {}
	case "exit":
		os.Exit(3)
	case "return":
	case "memory":
		for all := [][]byte{}; ; {
			all = append(all, make([]byte, 1<<20))
		}
	case "calls":
		take()
	case "lock":
		c := make(chan int)
		<-c
	case "loop":
		for {
			spin()
		}
	}
}

// take takes 10 MiB a call.
func take() {
	for all := [][]byte{}; ; {
		sim.Invoked()
		all = append(all, make([]byte, 10<<20))
		sim.Return(fmt.Sprint(len(all)))
	}
}

var spins int

//go:noinline
func spin() { spins++ }
