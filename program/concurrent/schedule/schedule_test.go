package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/program/overlay"
)

// program is some goroutines of which each passes points about objects; what happened is the string of the letters of its
// operations in their order.
type program struct {
	letters string
	points  []int // by goroutine: how many it passes
	op      overlay.Kind
	objects func(g, i int) uint64
	states  func(g, i int) uint32 // of goroutines; nil: they are not known
}

// run runs it and returns what happened.
func (p program) run(r *Run) string {
	if p.op == 0 {
		p.op = overlay.AtomicStore
	}
	done := make([]int, len(p.points))
	var trace strings.Builder
	current := -1
	for !r.Endless {
		var can []int
		for g := range p.points {
			if done[g] < p.points[g] && g != current {
				can = append(can, g)
			}
		}
		if current >= 0 && done[current] < p.points[current] {
			can = slices.Insert(can, 0, current)
			if len(can) > 1 {
				object := uint64(1)
				if p.objects != nil {
					object = p.objects(current, done[current])
				}
				state := uint32(0)
				if p.states != nil {
					state = p.states(current, done[current])
				}
				if took := r.Point(p.op, object, can, state, false); took > 0 && took < len(can) {
					current = can[took]
				}
			}
		} else if len(can) == 0 {
			return trace.String()
		} else if current = can[0]; len(can) > 1 {
			current = can[r.Pick(can)]
		}
		done[current]++
		trace.WriteByte(p.letters[current])
	}
	return trace.String()
}

// preempted counts how often another letter follows although the one before has not come for the last time.
func preempted(trace string) (n int) {
	for i := 1; i < len(trace); i++ {
		if trace[i] != trace[i-1] && strings.IndexByte(trace[i:], trace[i-1]) >= 0 {
			n++
		}
	}
	return n
}

// interleavings are all words with so many letters of each kind and at most so many preemptions.
func interleavings(p program, most int) map[string]bool {
	all := map[string]bool{}
	var rec func(word string)
	rec = func(word string) {
		whole := true
		for g, n := range p.points {
			if strings.Count(word, p.letters[g:g+1]) < n {
				whole = false
				rec(word + p.letters[g:g+1])
			}
		}
		if whole && preempted(word) <= most {
			all[word] = true
		}
	}
	rec("")
	return all
}

// An exhaustive search makes each schedule with at most k preemptions once, in the order of k, and no other.
func TestExhaustive(t *testing.T) {
	p := program{letters: "abc", points: []int{3, 2, 2}}
	for most := range 4 {
		e, met, last := NewExhaustive(most), map[string]bool{}, 0
		for b := e.Next(); b != nil; b = e.Next() {
			r := NewRun(b)
			word := p.run(r)
			if met[word] {
				t.Errorf("%s is made twice", word)
			}
			if r.Preemptions != preempted(word) || r.Preemptions < last {
				t.Errorf("%s has %d preemptions after %d", word, r.Preemptions, last)
			}
			met[word], last = true, r.Preemptions
			if err := e.Learn(b, r); err != nil {
				t.Fatal(err)
			}
		}
		if want := interleavings(p, most); len(met) != len(want) {
			t.Errorf("with %d preemptions %d schedules, want %d", most, len(met), len(want))
		}
		if e.Complete() != most {
			t.Errorf("complete up to %d, want %d", e.Complete(), most)
		}
		if all := len(interleavings(p, 100)) == len(met); e.All() != all {
			t.Errorf("with %d preemptions all: %v", most, e.All())
		}
	}
}

// Where a search is cut short it says up to where it is complete.
func TestIncomplete(t *testing.T) {
	p := program{letters: "ab", points: []int{4, 4}}
	e := NewExhaustive(2)
	complete := []int{e.Complete()}
	for b := e.Next(); b != nil; b = e.Next() {
		r := NewRun(b)
		p.run(r)
		if err := e.Learn(b, r); err != nil {
			t.Fatal(err)
		}
		if is := e.Complete(); is != complete[len(complete)-1] {
			complete = append(complete, is)
		}
	}
	if !slices.Equal(complete, []int{-1, 0, 1, 2}) {
		t.Errorf("complete %v", complete)
	}
}

// A goroutine may be preempted right before an operation of any kind, those that release or close something included.
func TestPreemptedBeforeAny(t *testing.T) {
	for op := overlay.Send; op <= overlay.Call; op++ {
		e, n := NewExhaustive(1), 0
		for b := e.Next(); b != nil; b = e.Next() {
			r := NewRun(b)
			program{letters: "ab", points: []int{3, 3}, op: op}.run(r)
			if err := e.Learn(b, r); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 6 {
			t.Errorf("%v: %d schedules, want 6", op, n)
		}
	}
}

// A goroutine that has to give way is not preempted: what follows may be preempted as often as if it had not. No more is said to be complete than
// what has fewer preemptions than there were before.
func TestGaveWay(t *testing.T) {
	p := program{letters: "ab", points: []int{Patience + 4, 5}, states: func(g, i int) uint32 { return uint32(g*1000 + g*i + 1) }}
	e, behind := NewExhaustive(1), 0
	for b := e.Next(); b != nil; b = e.Next() {
		r := NewRun(b)
		p.run(r)
		if err := e.Learn(b, r); err != nil {
			t.Fatal(err)
		}
		preempted := slices.IndexFunc(r.Choices, func(c Chosen) bool { return c.Kind == Point && c.Took > 0 && !c.Forced })
		forced := slices.IndexFunc(r.Choices, func(c Chosen) bool { return c.Forced })
		if forced >= 0 && preempted > forced {
			behind++
		}
	}
	if behind != 4 || e.Complete() != -1 || e.All() || e.GaveWay() == 0 {
		t.Errorf("%d schedules with a preemption behind, complete up to %d, all: %v, %d gave way", behind, e.Complete(), e.All(), e.GaveWay())
	}
}

// A program that does another thing under the same choices is an error, here when a branch of the second run is made.
func TestStrays(t *testing.T) {
	e := NewExhaustive(1)
	for i := 0; ; i++ {
		b := e.Next()
		if b == nil {
			t.Fatal("no error")
		}
		p := program{letters: "ab", points: []int{3, 3}}
		if i == 1 {
			p.op = overlay.Send
		}
		r := NewRun(b)
		p.run(r)
		if err := e.Learn(b, r); err != nil {
			if i != 2 || !strings.Contains(err.Error(), "before choice 3") {
				t.Errorf("run %d: %v", i, err)
			}
			return
		}
	}
}

// A loop in which nothing changes gives way, which is no preemption. One that counts does not, nor one of which the states are not known, unless it is very
// long.
func TestPatience(t *testing.T) {
	forced := func(points int, states func(g, i int) uint32) (n int) {
		r := NewRun(Guided(nil))
		p := program{letters: "ab", points: []int{points, points}, states: states}
		p.run(r)
		for _, c := range r.Choices {
			if c.Forced && c.Took > 0 {
				n++
			}
		}
		if r.Preemptions != 0 {
			t.Errorf("%d preemptions", r.Preemptions)
		}
		return n
	}
	for _, c := range []struct {
		name        string
		points      int
		states      func(g, i int) uint32
		least, most int
	}{
		{"nothing changes", 5 * Patience, func(int, int) uint32 { return 1 }, 1, 10},
		{"three states in turn", 5 * Patience, func(_, i int) uint32 { return uint32(1 + i%3) }, 1, 10},
		{"it counts", 50 * Patience, func(_, i int) uint32 { return uint32(1 + i) }, 0, 0},
		{"unknown", 50 * Patience, nil, 0, 0},
		{"very long", LongPatience + 10, nil, 1, 2},
	} {
		if n := forced(c.points, c.states); n < c.least || n > c.most {
			t.Errorf("%s: gives way %d times", c.name, n)
		}
	}
}

// Every sampler makes every schedule of a small program at some time, and the same ones from the same seeds.
func TestSamplers(t *testing.T) {
	p := program{letters: "ab", points: []int{2, 2}}
	want := interleavings(p, 100)
	for _, s := range Samplers() {
		met := map[string]bool{}
		for seed := range uint64(300) {
			one := p.run(NewRun(s.New(rand.New(rand.NewPCG(1, seed)), 4)))
			if two := p.run(NewRun(s.New(rand.New(rand.NewPCG(1, seed)), 4))); one != two {
				t.Errorf("%s: %s and %s", s.Name, one, two)
			}
			met[one] = true
		}
		if len(met) != len(want) {
			t.Errorf("%s makes %d of %d schedules", s.Name, len(met), len(want))
		}
	}
}

// A run is the same again from its deviations, and minimizing leaves those that matter.
func TestMinimize(t *testing.T) {
	p := program{letters: "abc", points: []int{6, 6, 6}}
	bad := func(word string) bool { // c within the first two of b
		return strings.Contains(word, "bcb") && strings.Count(word[:strings.Index(word, "bcb")], "b") == 0
	}
	random := Samplers()[0]
	for seed := uint64(0); ; seed++ {
		r := NewRun(random.New(rand.New(rand.NewPCG(2, seed)), 0))
		word := p.run(r)
		again := NewRun(Guided(r.Deviations()))
		if is := p.run(again); is != word {
			t.Fatalf("%s is %s again: %v", word, is, r.Deviations())
		}
		if !bad(word) {
			continue
		}
		calls := 0
		best := Minimize(r, 300, func(s Scheduler) *Run {
			calls++
			r := NewRun(s)
			if bad(p.run(r)) {
				return r
			}
			return nil
		})
		if best.Preemptions != 2 || calls > 300 {
			t.Errorf("%d preemptions after %d calls: %v", best.Preemptions, calls, best.Deviations())
		}
		return
	}
}

// A run that goes on for ever ends.
func TestLongest(t *testing.T) {
	r := NewRun(Guided(nil))
	program{letters: "ab", points: []int{1 << 30, 1 << 30}}.run(r)
	if !r.Endless || len(r.Choices) != Longest {
		t.Errorf("%d choices", len(r.Choices))
	}
}

// Deviations are said in words.
func TestDeviations(t *testing.T) {
	for d, want := range map[Deviation]string{
		{Point, 1, 2, 3}: "goroutine 1 is preempted at its point 3 and goroutine 3 runs",
		{Pick, 0, 0, 2}:  "at the free choice 1 goroutine 2 runs",
		{Case, 0, 4, 1}:  "at the select statement 5 the ready case 2 is taken",
	} {
		if is := fmt.Sprint(d); is != want {
			t.Errorf("%s, want %s", is, want)
		}
	}
}
