package model

// An Optional is a value that may be missing. It replaces a pointer, since states, messages and keys must not
// have pointers. The zero Optional is missing.
//
// Use [Some] to create an Optional. A missing value is then zero, so that two Optionals are == equal exactly
// if they mean the same.
type Optional[T any] struct {
	Known bool
	Value T
}

// Some returns an Optional with a value.
func Some[T any](v T) Optional[T] { return Optional[T]{true, v} }

// Get returns the value, and whether it is present.
func (o Optional[T]) Get() (v T, known bool) { return o.Value, o.Known }

// Or returns the value, or other if it is missing.
func (o Optional[T]) Or(other T) T {
	if o.Known {
		return o.Value
	}
	return other
}
