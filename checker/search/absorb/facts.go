package absorb

// A guess of an absorber is refuted by a local transition in one place of the search and a message that was
// absorbed in another. Where a search has several parts, each with an absorber of its own, one of them is
// told by the others, at the end of each layer, what they have seen: it then knows all pairs, and refutes
// what a search in one part would refute in that layer.

// A Sort of fact.
type Sort byte

// What facts say.
const (
	GoesTo Sort = iota // the local state goes on to the other
	Held               // the message was absorbed in the state
	Called             // it was, as an echo, with the answered node in the other state
)

// A Fact is something that an absorber has seen of the local states of a search.
type Fact struct {
	Is           Sort
	State, Other uint32 // local states
	Trigger      uint32 // of a message
}

// Tell has the absorber keep what it sees, for News.
func (a *Absorber) Tell() { a.tells = true }

// News returns what the absorber has seen since it was asked last.
func (a *Absorber) News() []Fact {
	news := a.news
	a.news = nil
	return news
}

func (a *Absorber) sees(f Fact) {
	if a.tells {
		a.news = append(a.news, f)
	}
}

// Learn takes in what the absorber of another part has seen.
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
