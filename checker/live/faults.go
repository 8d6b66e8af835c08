package live

import (
	"math/rand/v2"
	"slices"

	"contend/model"
)

// A kind is a kind of a fault.
type kind int

// The kinds.
const (
	loss kind = iota
	delay
	partition
	kill
)

// A fault is a fault at an instant of a run.
type fault struct {
	kind   kind
	at     int64 // nanoseconds since the start
	node   model.NodeID
	back   bool       // a killed node restarts
	side   model.Side // of a partition
	length int64      // of a partition, or of the time until a restart, in nanoseconds
}

// schedule draws the faults of a run, in the order of their instants. None is in the first or last twentieth of the run.
func schedule(s *model.System, f model.Faults, opt Options) (all []fault) {
	rng := rand.New(rand.NewPCG(opt.Seed, 1<<32))
	p := pace{int64(opt.Tick), opt.Pace, rng}
	add := func(n int, x func() fault) {
		for range n {
			one := x()
			one.at = int64(opt.For)/20 + rng.Int64N(int64(opt.For)*9/10+1)
			all = append(all, one)
		}
	}
	stops, backs := s.IDs(model.NodeSpec.MayStop), s.IDs(model.NodeSpec.MayRecover)
	rng.Shuffle(len(stops), func(i, j int) { stops[i], stops[j] = stops[j], stops[i] })
	add(f.Loss, func() fault { return fault{kind: loss} })
	add(opt.Late, func() fault { return fault{kind: delay} })
	add(f.Partitions, func() fault {
		return fault{kind: partition, side: side(s, rng), length: p.within(s.Network.Heals(), 1)}
	})
	add(min(f.Crashes, len(stops)), func() fault {
		node := stops[0]
		stops = stops[1:]
		return fault{kind: kill, node: node}
	})
	add(f.Restarts, func() fault {
		return fault{kind: kill, node: backs[rng.IntN(len(backs))], back: true, length: p.within(model.Anytime(), 1)}
	})
	slices.SortStableFunc(all, func(a, b fault) int { return int(min(max(a.at-b.at, -1), 1)) })
	return all
}

// side draws a side of a partition: not empty, and without the first node.
func side(s *model.System, rng *rand.Rand) (side model.Side) {
	for len(side) == 0 && len(s.Nodes) > 1 {
		for i := 1; i < len(s.Nodes); i++ {
			if rng.IntN(2) == 0 {
				side = append(side, model.NodeID(i))
			}
		}
	}
	return side
}
