package portable

import (
	"errors"
	"reflect"
	"testing"

	"contend/checker/search/absorb"
	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/step"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/value"
)

// worker is one of a process of its own, which searches the same system as others.
func worker(t testing.TB) *step.Worker {
	t.Helper()
	s, err := ricartagrawala.Protocol.System("", model.Config{N: 3}.With(model.Ops.Is(1)))
	if err != nil {
		t.Fatal(err)
	}
	codec, err := value.For(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return step.NewWorker(step.NewEngine(component.NewStore(s, codec, nil, true, component.Closing)))
}

// add adds a state to a chunk.
func add(c frontier.Chunk, key fingerprint.Print, v []uint32) frontier.Chunk {
	head := []uint32{uint32(key.A), uint32(key.A >> 32), uint32(key.B), uint32(key.B >> 32), uint32(len(v))}
	return append(append(c, head...), v...)
}

// some are the states that can be reached in at most so many steps.
func some(w *step.Worker, steps int) (all frontier.Chunk) {
	var next frontier.Chunk
	w.Emit = func(v []uint32) { next = add(next, w.Sum, v) }
	w.Initial()
	for range steps {
		layer := next
		all, next = append(all, layer...), nil
		for len(layer) > 0 {
			var key fingerprint.Print
			var v []uint32
			key, v, layer = layer.Next()
			w.Expand(v, key)
		}
	}
	return append(all, next...)
}

// A state is known by its prints in every process.
type state struct{ key, sum fingerprint.Print }

// taken is what a worker takes over, as a chunk and by its prints.
func taken(w *step.Worker, message []byte) (c frontier.Chunk, states []state, err error) {
	err = ReadStates(message, w, func(key fingerprint.Print, v []uint32) {
		c = add(c, key, v)
		states = append(states, state{key, w.PrintOfState(v)})
	})
	return c, states, err
}

func written(w *step.Worker, c frontier.Chunk) []byte {
	return NewWriter(w.Engine).States(nil, c, w.PrintOfState)
}

// States are the same in another process, whatever numbers it knows components by, and a message that ends too
// soon, or of which a byte is another, is refused or holds other states.
func TestStates(t *testing.T) {
	from := worker(t)
	message := written(from, some(from, 4))
	_, want, err := taken(worker(t), message)
	if err != nil || len(want) < 20 {
		t.Fatalf("%d states, %v", len(want), err)
	}
	for _, s := range want {
		if s.key != s.sum {
			t.Fatalf("a state is known by %v, and is %v", s.key, s.sum)
		}
	}
	to := worker(t)
	some(to, 2) // it knows components by numbers of its own
	c, got, err := taken(to, message)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%d states of %d arrive, %v", len(got), len(want), err)
	}
	if _, back, err := taken(from, written(to, c)); err != nil || !reflect.DeepEqual(back, want) {
		t.Fatalf("%d states of %d come back, %v", len(back), len(want), err)
	}
	for at := 0; at < len(message); at += 1 + len(message)/200 {
		if _, got, err := taken(to, message[:at]); err == nil && len(got) == len(want) {
			t.Errorf("all states are in the first %d bytes of %d", at, len(message))
		}
		other := append([]byte(nil), message...)
		other[at] ^= 1
		if _, got, err := taken(to, other); err == nil && reflect.DeepEqual(got, want) {
			t.Errorf("byte %d may be another", at)
		}
	}
}

// Bytes that no part wrote are refused, or are states that another process takes over as they are.
func FuzzStates(f *testing.F) {
	w := worker(f)
	f.Add(written(w, some(w, 0)))
	f.Add(written(w, some(w, 2)))
	f.Fuzz(func(t *testing.T, message []byte) {
		w := worker(t)
		c, states, err := taken(w, message)
		if err != nil {
			if !errors.As(err, new(Damaged)) {
				t.Fatal(err)
			}
			return
		}
		if _, again, err := taken(worker(t), written(w, c)); err != nil || !reflect.DeepEqual(again, states) {
			t.Fatalf("%d states of %d arrive, %v", len(again), len(states), err)
		}
	})
}

// So are facts.
func FuzzFacts(f *testing.F) {
	w := worker(f)
	all := some(w, 1)
	_, v, _ := all.Next()
	var facts []absorb.Fact
	for _, is := range []absorb.Sort{absorb.GoesTo, absorb.Held, absorb.Called} {
		facts = append(facts, absorb.Fact{Is: is, State: v[0], Other: v[1], Trigger: 0})
	}
	w.Ask(func() { f.Add(NewWriter(w.Engine).Facts(nil, facts)) })
	f.Fuzz(func(t *testing.T, message []byte) {
		w, to := worker(t), worker(t)
		facts, err := ReadFacts(message, w.Engine)
		if err != nil {
			if !errors.As(err, new(Damaged)) {
				t.Fatal(err)
			}
			return
		}
		once := NewWriter(w.Engine).Facts(nil, facts)
		again, err := ReadFacts(once, to.Engine)
		if twice := NewWriter(to.Engine).Facts(nil, again); err != nil || !reflect.DeepEqual(twice, once) {
			t.Fatalf("%d facts of %d arrive, %v", len(again), len(facts), err)
		}
	})
}
