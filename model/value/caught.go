package value

import "contend/model"

// Caught turns a panic that a handler is to blame for, a [model.Misuse] or an [Unlisted], into
// an error; it is deferred. Any other panic goes on.
func Caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case model.Misuse:
		*err = p
	case Unlisted:
		*err = p
	default:
		panic(p)
	}
}
