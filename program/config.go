package program

import (
	"fmt"
	"slices"

	"contend/model/disk"
)

// A Config says which program it is, and what it runs on.
type Config struct {
	// Package is the import path of the program's main package, or a path such as ./server; Wasm is the path of a file that was built from it,
	// in place of Package.
	Package, Wasm string
	// Dir is where the go command runs that builds the package; "" is the current directory.
	Dir string
	// Overlay and Tags are those of [build.Package].
	Overlay string
	Tags    []string
	// Hosts are the names of the system's nodes, in their order.
	Hosts []string
	// Args returns the arguments of a node's program, Env its environment, "name=value". Nil stands for none.
	Args, Env func(host string) []string
	// Disk, unless nil, gives the program a disk that outlives a crash as far as it was synced.
	Disk *disk.Options
	// Net lets package net itself reach the other nodes: a node's name is the name of a host, whose address is 10.0.0.1 for the first of Hosts, and so
	// on. Otherwise only package sim does. A package is built with the overlay for that, unless there is another.
	Net bool
	// Slow is how many ticks a sync, a renaming or a removal of a file takes: other goroutines go on, and a crash may come. A sync covers what was
	// done before it began; a name changes in the middle. 0 stands for none. A package is built with the overlay for that, unless there is another.
	Slow int64
	// Tick is how long a tick of the model is for the program, in nanoseconds; 0 stands for a millisecond.
	Tick int64
	// Resolution is the number of parts of the time to the program's next timer, 1 to 64. Where a run does not show the time, the clock
	// moves from part to part. 0 is 1: the clock shows the time of the last timer.
	Resolution int
	// Seeds is how many seeds there are of the random numbers that the program draws, one of which is drawn when it starts; 0
	// stands for 1.
	Seeds int
	// Yield, unless 0, makes the order of goroutines a choice: one in so many times a goroutine gives way before an operation that others can
	// see. A package is built with the overlay for that, unless there is another; a module must have been.
	Yield int
	// Guest is how the program runs. A protocol that has the parameter [Guest] among its Params sets it to Guest.Of(c).
	Guest Kind
	// Exits allows the program to end by itself: its function main may return, and it may call os.Exit. The end is then noted as [Exited]. Otherwise
	// it breaks the claim that no handler fails.
	Exits bool
	// Merge lets what the program shows by sim.View name its state, together with its disk and the time to its next timer. Two
	// programs that show the same must react alike to whatever comes. Unless it is set, the history names the state.
	Merge bool
}

func (c *Config) validate() error {
	if c.Tick == 0 {
		c.Tick = 1_000_000
	}
	c.Resolution, c.Seeds = max(c.Resolution, 1), max(c.Seeds, 1)
	switch {
	case (c.Package == "") == (c.Wasm == ""):
		return fmt.Errorf("program: set Package or Wasm, and not both")
	case len(c.Hosts) == 0:
		return fmt.Errorf("program: Hosts is empty, but must have the names of the system's nodes")
	case c.Tick < 0:
		return fmt.Errorf("program: Tick is %d, but must be positive", c.Tick)
	case c.Slow < 0:
		return fmt.Errorf("program: Slow is %d, but must not be negative", c.Slow)
	case c.Net && (c.Wasm != "" || c.Overlay != ""):
		return fmt.Errorf("program: Net is set, but needs a Package that is built without an Overlay of yours")
	case c.Guest < Auto || c.Guest > Native:
		return fmt.Errorf("program: Guest is %d, but must be %d to %d", c.Guest, Auto, Native)
	case c.Resolution > 64:
		return fmt.Errorf("program: Resolution is %d, but must be 0 to 64", c.Resolution)
	}
	for i, h := range c.Hosts {
		if len(h) > 255 || h == "" || slices.Contains(c.Hosts[:i], h) {
			return fmt.Errorf("program: Hosts has %.40q, but each name must be of its own and have 1 to 255 bytes", h)
		}
	}
	return nil
}
