package compare

import "contend/lab/random"

// Features of a comparison that are not drawn.
const (
	Failed  = "a handler fails"
	Resumed = "a search goes on from a checkpoint"
	Refused = "a reduction is refused"
	Driven  = "a page is invoked by what is seen"
	// OfForeign is the feature of a system with a foreign object. Hidden is the feature of an object that its
	// dump does not show completely.
	OfForeign = "a foreign object"
	Hidden    = "a foreign object that hides something"

	used = "reduced by "
)

// Features returns all features in order, so that a missing one is noticed.
func Features() []string {
	return append(random.Features(), Failed, Resumed, Refused, Driven, OfForeign, Hidden,
		used+"symmetry", used+"client symmetry", used+"stale absorption", Measured)
}
