package value

import "contend/model"

// Caught turns a panic that a handler is to blame for, a [model.Misuse], an [Unlisted] or an
// [Impure], into an error; it is deferred. Any other panic goes on.
func Caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case model.Misuse:
		*err = p
	case Unlisted:
		*err = p
	case Impure:
		*err = p
	default:
		panic(p)
	}
}
