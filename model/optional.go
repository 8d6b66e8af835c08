package model

// An Optional is a value that may be missing: the plain value of a state, a message or a key in
// place of a pointer, which state does not hold. The zero Optional is missing.
//
// [Some] makes one, and only Some should: a value that is missing is zero, so that two
// Optionals are equal, by == too, exactly when they say the same.
type Optional[T any] struct {
	Known bool
	Value T
}

// Some is a value that is there.
func Some[T any](v T) Optional[T] { return Optional[T]{true, v} }

// Get returns the value, and whether it is there.
func (o Optional[T]) Get() (v T, known bool) { return o.Value, o.Known }

// Or returns the value, or another where it is missing.
func (o Optional[T]) Or(other T) T {
	if o.Known {
		return o.Value
	}
	return other
}
