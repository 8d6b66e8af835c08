package fuzzing

import (
	"errors"
	"strings"

	"contend/checker/enlarge"
	"contend/checker/sample"
	"contend/model/value"
)

// Ready returns the reason why no run of the target can begin, or nil. So a mistake in a protocol is reported once,
// before the first run.
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

// Mistaken reports whether an error is a mistake in the protocol's lists. The sentence of such an error is
// sufficient, without a run.
func Mistaken(err error) bool { return errors.As(err, new(value.Unlisted)) }

// sentence returns the first line of an error. The run follows it.
func sentence(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}
