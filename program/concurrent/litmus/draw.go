package litmus

import "math/rand/v2"

// A Family is programs about the same objects.
type Family struct {
	Name string
	// Bounded tells whether what the programs do is counted in preemptions as [Program.Everything] does. What package context does within is not.
	Bounded bool
	parts   []part
}

// part draws a few instructions that belong together.
type part func(r *rand.Rand) []Instruction

// join is the WaitGroup for which the body waits.
const join = Objects - 1

func one(op Op) part {
	return func(r *rand.Rand) []Instruction { return []Instruction{{Op: op, On: r.IntN(Objects)}} }
}

// first returns an operation on the first object.
func first(op Op, value int) part {
	return func(*rand.Rand) []Instruction { return []Instruction{{Op: op, Value: value}} }
}

// around has something seen or changed between two operations.
func around(before, after Op) part {
	return func(r *rand.Rand) []Instruction {
		on := r.IntN(Objects)
		in := Instruction{Op: []Op{Load, AddAtomic, Store, Yield}[r.IntN(4)], On: r.IntN(Objects), Value: 5}
		return []Instruction{{Op: before, On: on}, in, {Op: after, On: on}}
	}
}

// waitsWith waits for a condition, with its mutex.
func waitsWith(*rand.Rand) []Instruction {
	return []Instruction{{Op: Lock}, {Op: CondWait}, {Op: AddAtomic}, {Op: Unlock}}
}

func selects(after, context bool) part {
	return func(r *rand.Rand) []Instruction {
		c := Cases{Default: r.IntN(3) == 0, Context: context}
		if after {
			c.After, c.Default = 1+r.IntN(2), r.IntN(6) == 0
		}
		for i := range Objects {
			c.Receives[i], c.Sends[i] = r.IntN(2) == 0, r.IntN(3) == 0
		}
		if c == (Cases{}) {
			c.Receives[0] = true
		}
		return []Instruction{{Op: Select, Cases: c}}
	}
}

func sleeps(r *rand.Rand) []Instruction { return []Instruction{{Op: Sleep, Value: 1 + r.IntN(2)}} }

// atomics are operations on atomic integers, by which goroutines see in which order they run.
var atomics = []part{one(Load), one(AddAtomic), first(Store, 3), first(Swap, 2)}

// Families lists all.
func Families() []Family {
	with := func(name string, bounded bool, parts ...part) Family { return Family{name, bounded, parts} }
	return []Family{
		with("atomic", true, append([]part{one(Yield), first(Do, 0), first(Do, 0)}, atomics...)...),
		with("mutex", true, around(Lock, Unlock), around(Lock, Unlock), around(TryLock, Unlock), one(Lock), one(Unlock), one(AddAtomic)),
		with("rwmutex", true, around(WLock, WUnlock), around(RLock, RUnlock), around(RLock, RUnlock), one(TryWLock), one(TryRLock), one(WUnlock), one(RUnlock)),
		with("channel", true, one(Send), one(Receive), one(Send), one(Receive), one(Close), one(AddAtomic)),
		with("select", true, one(Send), one(Receive), one(Close), selects(false, false), selects(false, false)),
		with("group", true, first(Add, 1), first(Done, 0), first(Done, 0), first(Wait, 0), one(Load), one(AddAtomic)),
		with("cond", true, waitsWith, waitsWith, first(Signal, 0), first(Broadcast, 0), around(Lock, Unlock)),
		with("timer", true, sleeps, sleeps, selects(true, false), one(Send), one(Receive), one(Load), one(AddAtomic)),
		with("context", false, selects(false, true), first(Expired, 0), sleeps, one(Send), one(Receive), one(AddAtomic)),
		with("spin", true, first(Await, 0), first(Store, 1), one(Lock), one(Unlock), one(AwaitLock), one(Yield)),
		with("mixed", true, around(Lock, Unlock), around(RLock, RUnlock), one(Send), one(Receive), selects(false, false), one(TryLock), one(AddAtomic), first(Do, 0), sleeps, waitsWith, first(Signal, 0)),
	}
}

// Draw draws a program of two to four goroutines that do about so many things in all. With plain some are accesses to variables.
func (f *Family) Draw(r *rand.Rand, size int, plain bool) *Program {
	n := 2 + r.IntN(MostGoroutines-1)
	p := &Program{Rooms: [Objects]int{r.IntN(MostRoom + 1), r.IntN(2)}, Bodies: make([][]Instruction, n)}
	joins := r.IntN(4) > 0 || f.Name == "timer" || f.Name == "context" || f.Name == "mixed"
	if f.Name == "context" {
		p.Timeout = 1 + r.IntN(2)
	}
	if f.Name == "group" {
		p.Counts[0] = r.IntN(3)
	}
	for g := 1; g < n; g++ {
		p.Bodies[0] = append(p.Bodies[0], Instruction{Op: Go, On: g})
	}
	for size > 0 {
		g := r.IntN(n)
		some := f.parts[r.IntN(len(f.parts))](r)
		if plain && r.IntN(2) == 0 {
			some = f.plain(r, some)
		}
		size -= len(some)
		if len(p.Bodies[g])+len(some) < MostOps {
			p.Bodies[g] = append(p.Bodies[g], some...)
		}
	}
	if joins {
		p.Counts[join] = n - 1
		p.Bodies[0] = append(p.Bodies[0], Instruction{Op: Wait, On: join})
		for g := 1; g < n; g++ {
			p.Bodies[g] = append(p.Bodies[g], Instruction{Op: Done, On: join})
		}
	}
	return p
}

// plain puts an access to a variable before, behind or between instructions.
func (f *Family) plain(r *rand.Rand, some []Instruction) []Instruction {
	in := Instruction{Op: []Op{Read, Write}[r.IntN(2)], On: r.IntN(Objects)}
	at := r.IntN(len(some) + 1)
	if len(some) > 1 {
		at = 1 // within what a lock protects
	}
	return append(some[:at:at], append([]Instruction{in}, some[at:]...)...)
}

// Define takes sends out of select statements if the program closes a channel. Which of these sends is looked at, and races with the close, is not defined.
func (p *Program) Define() {
	if !p.has(Close) {
		return
	}
	for _, body := range p.Bodies {
		for i := range body {
			body[i].Cases.Sends = [Objects]bool{}
		}
	}
}
