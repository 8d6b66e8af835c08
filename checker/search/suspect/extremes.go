package suspect

import "contend/checker/search/fingerprint"

// Extremes are the least and the most that were found for a cost, each at the first suspect
// by layer, and by key within one; nil where there is none.
type Extremes struct{ Least, Most *Reading }

// A Reading is a number of a cost, and where it is read.
type Reading struct {
	Number int
	At     Suspect
}

// sooner reports whether a reading goes before another of the same number in its layer.
func (r *Reading) sooner(than *Reading) bool { return fingerprint.Compare(r.At.Key, than.At.Key) < 0 }

// Take takes in a reading of the present layer. Of equal numbers those of earlier layers stay.
func (e *Extremes) Take(r *Reading, sameLayer bool) {
	if e.Least == nil || r.Number < e.Least.Number || sameLayer && r.Number == e.Least.Number && r.sooner(e.Least) {
		e.Least = r
	}
	if e.Most == nil || r.Number > e.Most.Number || sameLayer && r.Number == e.Most.Number && r.sooner(e.Most) {
		e.Most = r
	}
}

// TakeAll takes in others.
func (e *Extremes) TakeAll(of Extremes, sameLayer bool) {
	for _, r := range []*Reading{of.Least, of.Most} {
		if r != nil {
			e.Take(r, sameLayer)
		}
	}
}
