package litmus

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// What is computed of programs that can be done by hand.
func TestEverything(t *testing.T) {
	begin := func(others ...[]Instruction) [][]Instruction {
		var body []Instruction
		for g := range others {
			body = append(body, Instruction{Op: Go, On: g + 1})
		}
		return append([][]Instruction{body}, others...)
	}
	for _, c := range []struct {
		name  string
		p     Program
		races bool
		want  map[Outcome]int
	}{
		{"two additions", Program{Bodies: begin([]Instruction{{Op: AddAtomic}}, []Instruction{{Op: AddAtomic}})}, false,
			map[Outcome]int{"passed 0:[0 0] 1:[17] 2:[18]": 0, "passed 0:[0 0] 1:[18] 2:[17]": 0}},
		{"a store between two loads", Program{Bodies: begin([]Instruction{{Op: Load}, {Op: Load}}, []Instruction{{Op: Store, Value: 1}})}, false,
			map[Outcome]int{"passed 0:[0 0] 1:[16 16] 2:[0]": 0, "passed 0:[0 0] 1:[17 17] 2:[0]": 0, "passed 0:[0 0] 1:[16 17] 2:[0]": 1}},
		{"locks in two orders", Program{Bodies: begin(
			[]Instruction{{Op: Lock}, {Op: Lock, On: 1}, {Op: Unlock, On: 1}, {Op: Unlock}},
			[]Instruction{{Op: Lock, On: 1}, {Op: Lock}, {Op: Unlock}, {Op: Unlock, On: 1}})}, false,
			map[Outcome]int{"passed 0:[0 0] 1:[0 0 0 0] 2:[0 0 0 0]": 0, "leak 0:[0 0] 1:[0] 2:[0]": 1}},
		{"nobody receives", Program{Bodies: [][]Instruction{{{Op: Send}}}}, false, map[Outcome]int{"deadlock 0:[]": 0}},
		{"a buffer keeps the order", Program{Rooms: [Objects]int{2}, Bodies: [][]Instruction{{{Op: Send}, {Op: Send}, {Op: Receive}, {Op: Receive}}}}, false,
			map[Outcome]int{"passed 0:[0 0 32 33]": 0}},
		{"a timer beside a goroutine", Program{Bodies: [][]Instruction{{{Op: Select, Cases: Cases{After: 1, Default: true}}}}}, false,
			map[Outcome]int{"passed 0:[3]": 0, "passed 0:[4]": 1}},
		{"a wake-up that is too early", Program{Bodies: begin([]Instruction{{Op: Signal}}, []Instruction{{Op: Lock}, {Op: CondWait}, {Op: Unlock}})}, false,
			map[Outcome]int{"leak 0:[0 0] 1:[0] 2:[0]": 0, "passed 0:[0 0] 1:[0] 2:[0 0 0]": 0}},
		{"unordered writes", Program{Bodies: begin([]Instruction{{Op: Write}}, []Instruction{{Op: Write}})}, true, map[Outcome]int{HasRaced: 0}},
		{"a failed TryLock orders nothing", Program{Bodies: begin([]Instruction{{Op: Write}, {Op: Lock}}, []Instruction{{Op: TryLock}, {Op: Read}})}, true,
			map[Outcome]int{HasRaced: 0}},
		{"a channel orders", Program{Bodies: begin([]Instruction{{Op: Write}, {Op: Send}}, []Instruction{{Op: Receive}, {Op: Read}})}, true,
			map[Outcome]int{"passed 0:[0 0] 1:[0 0] 2:[45 17]": 0}},
		{"the buffer of a channel orders who receives and who sends later", Program{Rooms: [Objects]int{1}, Bodies: begin(
			[]Instruction{{Op: Send}, {Op: Send}, {Op: Read}}, []Instruction{{Op: Write}, {Op: Receive}})}, true,
			map[Outcome]int{"passed 0:[0 0] 1:[0 0 17] 2:[0 44]": 0}},
	} {
		got, err := c.p.Everything(10_000, c.races)
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, err, got, c.want)
		}
	}
}

// Families draw programs within the bounds, the same from the same seed.
func TestDraw(t *testing.T) {
	for _, f := range Families() {
		for seed := range uint64(200) {
			p := f.Draw(rand.New(rand.NewPCG(seed, 1)), 3+int(seed%8), seed%2 == 0)
			if again := f.Draw(rand.New(rand.NewPCG(seed, 1)), 3+int(seed%8), seed%2 == 0); again.String() != p.String() {
				t.Errorf("%v and %v", p, again)
			}
			for g, body := range p.Bodies {
				if len(p.Bodies) > MostGoroutines || len(body) > MostOps {
					t.Errorf("%s: %d instructions of goroutine %d of %d", f.Name, len(body), g, len(p.Bodies))
				}
			}
		}
	}
}
