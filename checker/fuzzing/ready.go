package fuzzing

import (
	"errors"
	"strings"

	"contend/checker/enlarge"
	"contend/checker/sample"
	"contend/model/value"
)

// Ready says in a sentence why no run of the target can begin, or returns nil. So a mistake in a protocol is told
// once, before any run, and without one.
func (tg Target) Ready() error {
	if err := tg.Protocol.Validate(); err != nil {
		return err
	}
	if tg.Configure != nil {
		_, err := tg.Trial(sample.Bytes(nil), false)
		return err
	}
	for _, check := range enlarge.Checks(tg.Protocol) {
		if _, err := tg.begin(check, sample.Bytes(nil), false); err != nil {
			return err
		}
	}
	return nil
}

// Mistaken reports whether an error is a mistake in the protocol's lists that any run may come to, so that the
// sentence says all, and neither the run nor a second one says more.
func Mistaken(err error) bool { return errors.As(err, new(value.Unlisted)) }

// sentence is the first line of an error: what follows it is the run.
func sentence(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}
