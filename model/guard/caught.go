package guard

import "contend/model"

// Caught turns the panic of a [model.Refusal], such as an [Unlisted] or an [Impure], into an
// error; it is deferred. Any other panic goes on.
func Caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case model.Refusal:
		*err = p
	default:
		panic(p)
	}
}
