package search

import (
	"fmt"
	"math"
)

// limited looks at the limits, and tells of the progress.
func (x *explorer) limited(i int) bool {
	states := int64(x.set.len())
	switch {
	case x.opt.MaxStates > 0 && states >= x.opt.MaxStates:
		x.res.Limit = fmt.Sprintf("states: %d", x.opt.MaxStates)
	case states > math.MaxUint32-1<<20:
		x.res.Limit = "states: the engine numbers 2³² of them"
	case x.opt.MaxMemory > 0 && x.memory() >= x.opt.MaxMemory:
		x.res.Limit = fmt.Sprintf("memory: %d MiB", x.opt.MaxMemory>>20)
	}
	if i&4095 == 0 {
		if x.opt.Now != nil && !x.opt.Deadline.IsZero() && x.opt.Now().After(x.opt.Deadline) {
			x.res.Limit = "timeout"
		}
		select {
		case <-x.opt.Interrupt:
			x.res.Limit = "interrupted"
		default:
		}
		if x.opt.Progress != nil {
			x.opt.Progress(Progress{
				Generated: x.res.Transitions, Distinct: states, Depth: x.res.Depth, Bytes: x.memory(),
				Frontier: int64(len(x.layer.ends) - i + len(x.next.ends)),
			})
		}
	}
	return x.res.Limit != ""
}

// memory estimates what the search takes up, in bytes.
func (x *explorer) memory() int64 {
	m := x.set.bytes() + int64(cap(x.layer.data)+cap(x.next.data))*4 + int64(cap(x.layer.ends)+cap(x.next.ends))*8
	m += int64(len(x.handled.keys)+len(x.watched.keys))*12 + int64(len(x.parts.items))*80 + int64(len(x.locals.items))*160
	if x.graph != nil {
		m += x.graph.bytes()
	}
	return m
}
