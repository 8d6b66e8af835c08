package guard

import "contend/model"

// Caught sets the error to a panic that is a [model.Refusal], such as value.Unlisted or purity.Impure. It must be
// deferred. Any other panic continues.
func Caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case model.Refusal:
		*err = p
	default:
		panic(p)
	}
}
