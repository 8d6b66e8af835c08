package absorb

// A local transition and an absorbed message together refute a guess. In a search with several processes, each
// has an absorber, and the two facts may be at different absorbers. So at the end of each layer one absorber
// learns the new facts of the others. It then refutes what the absorber of a single process would refute in
// that layer.

// A Sort is a sort of fact.
type Sort byte

// Sorts of facts.
const (
	GoesTo Sort = iota // State has the local transition to Other
	Held               // the message was absorbed in State
	Called             // the message was absorbed in State as an echo, with the answered node in Other
)

// A Fact is a fact about local states that an absorber has found.
type Fact struct {
	Is           Sort
	State, Other uint32 // local states
	Trigger      uint32 // of a message
}

// Tell makes the absorber record facts for News.
func (a *Absorber) Tell() { a.recordFacts = true }

// News returns the facts since the last call.
func (a *Absorber) News() []Fact {
	news := a.facts
	a.facts = nil
	return news
}

func (a *Absorber) addFact(f Fact) {
	if a.recordFacts {
		a.facts = append(a.facts, f)
	}
}

// Learn adds a fact of another absorber.
func (a *Absorber) Learn(f Fact) {
	switch f.Is {
	case GoesTo:
		a.edge(f.State, f.Other)
	case Held:
		a.isStale(f.State, f.Trigger)
	case Called:
		a.isEcho(echo{f.State, f.Trigger, f.Other})
	}
}
