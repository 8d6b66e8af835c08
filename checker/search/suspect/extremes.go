package suspect

import "contend/checker/search/fingerprint"

// An Extremes is the least and the greatest reading of a cost found so far; nil if there is none. Of equal
// numbers it has the reading of the first layer, and in a layer the reading with the least key.
type Extremes struct{ Least, Most *Reading }

// A Reading is a number of a cost, with the state or step that shows it.
type Reading struct {
	Number int
	At     Suspect
}

// precedes reports whether a reading precedes another with the same number in its layer.
func (r *Reading) precedes(than *Reading) bool { return fingerprint.Compare(r.At.Key, than.At.Key) < 0 }

// Take adds a reading of the present layer. With sameLayer the stored readings are of this layer too. Of equal
// numbers, readings of earlier layers stay.
func (e *Extremes) Take(r *Reading, sameLayer bool) {
	if e.Least == nil || r.Number < e.Least.Number || sameLayer && r.Number == e.Least.Number && r.precedes(e.Least) {
		e.Least = r
	}
	if e.Most == nil || r.Number > e.Most.Number || sameLayer && r.Number == e.Most.Number && r.precedes(e.Most) {
		e.Most = r
	}
}

// TakeAll adds the readings of other extremes.
func (e *Extremes) TakeAll(of Extremes, sameLayer bool) {
	for _, r := range []*Reading{of.Least, of.Most} {
		if r != nil {
			e.Take(r, sameLayer)
		}
	}
}
