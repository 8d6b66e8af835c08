package runs

import "contend/checker/search/step"

// TakesOf is open to tests.
func (x *Taker) TakesOf(s Step, base uint32) bool { return x.mayTake(s, base) }

// NameOf is open to tests.
func (x *Taker) NameOf(m step.Move) string { return x.nameOf(m) }
