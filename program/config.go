package program

import (
	"fmt"
	"slices"

	"contend/model/disk"
)

// A Config selects a program, and configures its environment.
type Config struct {
	// Package is the program's main package, as an import path or a path such as ./server. Wasm is a file that was built from such a package. One
	// of the two is set.
	Package, Wasm string
	// Dir is the working directory of the go command that builds the package; "" is the current directory.
	Dir string
	// Overlay, unless "", is the path of a file for the flag -overlay of go build, which replaces source files of the program, but none below
	// GOMODCACHE and none that the checker edits. Tags are build tags.
	Overlay string
	Tags    []string
	// Linux lists packages, by import path, that a program in WebAssembly is built from with their files for Linux, besides those that package
	// [build] lists. What these files use of package syscall must have to do with files and memory.
	Linux []string
	// Hosts are the names of the system's nodes, in their order.
	Hosts []string
	// Args returns the arguments of the program on a host, and Env the environment, as "name=value". Nil returns nothing.
	Args, Env func(host string) []string
	// Disk, unless nil, gives the program a disk. A crash keeps what was synced.
	Disk *disk.Options
	// Net lets package net reach the other nodes. The name of a node is the name of a host. Its address is 10.0.0.1 for the first of Hosts,
	// and so on. Without Net only package sim reaches other nodes. Net needs a Package.
	Net bool
	// Window is the number of bytes, 1 to 1<<30, that one side of a TCP connection takes from writers before the application of the other side
	// reads them. Further writes wait. 0 is 4 MiB, the most that Linux takes by default.
	Window int
	// Slow is the duration of a sync, renaming or removal of a file, in ticks. Meanwhile other goroutines run, and crashes strike. A sync covers
	// the writes before its start. A renaming or removal takes effect in the middle. On native guests a write through a descriptor with O_SYNC
	// or O_DSYNC takes as long.
	Slow int64
	// Tick is the program's duration of a tick of the model, in nanoseconds; 0 is a millisecond.
	Tick int64
	// Resolution is the number of steps, 1 to 64, in which the clock moves to the next timer where a run does not show the time. 0 is 1: the
	// clock shows the time of the last timer.
	Resolution int
	// Seeds is the number of seeds of the program's random numbers. Each start draws one of them. 0 is 1.
	Seeds int
	// Yield, unless 0, makes the order of goroutines a choice: before one in Yield operations that other goroutines can observe, a goroutine
	// yields. A file in Wasm must have been built with the edits that Yield needs.
	Yield int
	// Guest selects how the program runs. A protocol with the parameter [Guest] sets it to Guest.Of(c).
	Guest Kind
	// Exits permits the program to end by itself, by a return of function main or a call of os.Exit. It then notes [Exited]. Otherwise the end
	// breaks the claim that no handler fails.
	Exits bool
	// Merge makes two states equal if the program shows the same by sim.View, its disk is the same, and so is the time to its next timer. Then
	// the program must react alike to all inputs. Without Merge two states are equal only after equal histories.
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
	case c.Window < 0 || c.Window > 1<<30:
		return fmt.Errorf("program: Window is %d, but must be 0 to %d", c.Window, 1<<30)
	case c.Net && c.Wasm != "":
		return fmt.Errorf("program: Net is set, but needs a Package")
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
