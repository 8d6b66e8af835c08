package compare

import "contend/lab/random"

// Features that a comparison turns out to have, beside those that are drawn.
const (
	Failed  = "a handler fails"
	Resumed = "a search goes on from a checkpoint"
	Refused = "a reduction is refused"
	Driven  = "a page is invoked by what is seen"
	// OfForeign is the feature of a system with an object that was not written for a checker, and Hidden
	// that the object hides something from its dump.
	OfForeign = "a foreign object"
	Hidden    = "a foreign object that hides something"

	used = "reduced by "
)

// Features lists all features that systems may have, in order, so that one is seen which none has.
func Features() []string {
	return append(random.Features(), Failed, Resumed, Refused, Driven, OfForeign, Hidden,
		used+"symmetry", used+"client symmetry", used+"stale absorption", Measured)
}
