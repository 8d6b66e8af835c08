package concurrent

import (
	"fmt"
	"slices"
	"strings"

	"contend/program/overlay"
)

// writeWaits writes of each goroutine that waits for ever since which step, for what, and, where that is a lock, who holds it since which step.
// Steps have the numbers that writeSteps gives them.
func writeWaits(b *strings.Builder, steps []Step, stops map[int]string) {
	names, last, row := numbered(steps), map[int]int{}, make([]int, len(steps))
	shown := 0
	for i, s := range steps {
		if s.quiet() {
			continue
		}
		shown++
		row[i] = shown
		last[s.Goroutine] = i
	}
	var waiting []int
	for g := range stops {
		waiting = append(waiting, g)
	}
	slices.Sort(waiting)
	for _, g := range waiting {
		i, known := last[g]
		if !known {
			fmt.Fprintf(b, "goroutine %d waits: %s\n", g, stops[g])
			continue
		}
		s := steps[i]
		if !s.waits() {
			fmt.Fprintf(b, "goroutine %d waits after step %d: %s at %s\n", g, row[i], stops[g], s.at())
			continue
		}
		fmt.Fprintf(b, "goroutine %d waits since step %d: %v", g, row[i], s.Op)
		if s.object != 0 {
			fmt.Fprintf(b, " of %s", names[s.object])
		}
		fmt.Fprintf(b, " at %s", s.at())
		for _, at := range holders(steps, s) {
			fmt.Fprintf(b, "; goroutine %d holds it since step %d", steps[at].Goroutine, row[at])
		}
		b.WriteString("\n")
	}
}

// forTimer marks a goroutine that waits, but not for ever.
const forTimer = ", for a timer"

// waits reports whether a goroutine may wait in a step.
func (s Step) waits() bool {
	switch s.Op {
	case overlay.Send, overlay.Receive, overlay.Select, overlay.Lock, overlay.RLock, overlay.Wait, overlay.CondWait, overlay.Do:
		return true
	}
	return false
}

// holders returns the steps by which the lock was taken that a step waits for, and that was not released until the end.
func holders(steps []Step, waits Step) (held []int) {
	if waits.Op != overlay.Lock && waits.Op != overlay.RLock {
		return nil
	}
	for i, s := range steps {
		if s.object != waits.object {
			continue
		}
		switch s.Op {
		case overlay.Lock, overlay.RLock, overlay.TryLock, overlay.TryRLock:
			if !isLast(steps, i) { // else it waits itself
				held = append(held, i)
			}
		case overlay.Unlock, overlay.RUnlock:
			at := slices.IndexFunc(held, func(h int) bool { return steps[h].Goroutine == s.Goroutine })
			if at < 0 {
				at = 0 // another goroutine may unlock
			}
			if len(held) > 0 {
				held = slices.Delete(held, at, at+1)
			}
		}
	}
	return held
}

// isLast reports whether a step is the last one of its goroutine.
func isLast(steps []Step, i int) bool {
	return !slices.ContainsFunc(steps[i+1:], func(s Step) bool { return s.Goroutine == steps[i].Goroutine })
}
