package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"contend/model"
)

// The limits of a valid trace.
const (
	maxBytes      = 16 << 20
	maxSteps      = 1_000_000
	maxValueBytes = 64 << 10
	maxName       = 200
	maxChoice     = 1<<53 - 1 // larger integers lose precision in JSON readers that use float64
)

// Validate returns an error that names the first field that breaks a rule of the format, and the rule. It does
// not check that the steps are possible: [contend/traces/replay.Replay] does.
func (t *Trace) Validate() error {
	switch {
	case t.Version != Version:
		return fmt.Errorf("version is %d, but this tool reads version %d", t.Version, Version)
	case t.Protocol == "":
		return fmt.Errorf("protocol is missing")
	case t.Time != model.Untimed.String() && t.Time != model.Dense.String():
		return fmt.Errorf("time is %.40q, but must be %v or %v", t.Time, model.Untimed, model.Dense)
	case len(t.Steps) > maxSteps:
		return fmt.Errorf("steps: there are %d, but a trace has at most %d", len(t.Steps), maxSteps)
	}
	if err := t.validateTexts(); err != nil {
		return err
	}
	if t.Picture != nil && (t.Picture[0] != '{' || !json.Valid(t.Picture)) {
		return fmt.Errorf("picture is not a JSON object")
	}
	if err := validateChoices("boot", t.Boot); err != nil {
		return err
	}
	if err := t.Config.validate(); err != nil {
		return err
	}
	if err := t.validateEnd(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, name := range t.Watched {
		if seen[name] {
			return fmt.Errorf("watched: claim %.60q is there twice", name)
		}
		seen[name] = true
	}
	for i, s := range t.Steps {
		if err := s.validate(t.Timed()); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// validateTexts returns an error if a text of the header has characters that a terminal may interpret, or is
// too long.
func (t *Trace) validateTexts() error {
	for _, f := range []struct{ field, is string }{{"protocol", t.Protocol}, {"variant", t.Variant}, {"claim", t.Claim}} {
		if err := validateWord(f.field, f.is); err != nil {
			return err
		}
	}
	for _, name := range t.Watched {
		if err := validateWord("watched", name); err != nil {
			return err
		}
	}
	if t.Clocks && !t.Timed() {
		return errors.New("clocks is true, but only a dense trace has times that clocks can show")
	}
	for _, o := range t.Programs {
		for _, word := range []string{o.Program, o.Module, o.Go, o.Guest} {
			if err := validateWord("programs", word); err != nil {
				return err
			}
		}
	}
	if t.Cost != nil {
		if err := validateWord("cost", t.Cost.Name); err != nil {
			return err
		}
	}
	for _, f := range []struct{ field, is string }{{"text", t.Text}, {"note", t.Note}} {
		if strings.ContainsFunc(f.is, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			return fmt.Errorf("%s has a control character", f.field)
		}
	}
	return nil
}

// validateWord returns an error if a name is not printable or longer than maxName.
func validateWord(field, text string) error {
	if len(text) > maxName || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("%s is %.40q, but must be printable and at most %d bytes long", field, text, maxName)
	}
	return nil
}

func (s Step) validate(timed bool) error {
	kind, err := model.ParseEventKind(s.Kind)
	if err != nil {
		return err
	}
	if s.To == "" {
		return fmt.Errorf("to is missing")
	}
	for _, f := range []struct{ field, is string }{{"from", s.From}, {"to", s.To}, {"type", s.Type}, {"adversary", s.Adversary}} {
		if err := validateWord(f.field, f.is); err != nil {
			return err
		}
	}
	if s.Adversary != "" && !kind.Adversarial() {
		return fmt.Errorf("adversary is %.40q, but a %v is no move of the environment", s.Adversary, kind)
	}
	if err := s.validateName(kind); err != nil {
		return err
	}
	if err := s.validateAt(timed); err != nil {
		return err
	}
	if err := validateChoices("choices", s.Choices); err != nil {
		return err
	}
	if len(s.Value) > maxValueBytes {
		return fmt.Errorf("value has %d bytes, but at most %d are allowed", len(s.Value), maxValueBytes)
	}
	return nil
}

func validateChoices(field string, all []int) error {
	for _, c := range all {
		if c < 0 || c > maxChoice {
			return fmt.Errorf("%s: %d is out of range, 0 to %d", field, c, maxChoice)
		}
	}
	return nil
}

// validateName returns an error if the step lacks a field of a name of its kind, or has another.
func (s Step) validateName(kind model.EventKind) error {
	switch f := formOf(kind); {
	case f.from != (s.From != ""):
		return fmt.Errorf("from is %.40q, but %v %s a sender", s.From, kind, needs(f.from))
	case f.valued != (s.Type != ""):
		return fmt.Errorf("type is %.40q, but %v %s a type", s.Type, kind, needs(f.valued))
	case s.Value != nil && (!f.valued || s.Type == "nil"):
		return fmt.Errorf("value is given, but %v of type %.40q has none", kind, s.Type)
	case s.Value == nil && f.valued && s.Type != "nil":
		return fmt.Errorf("value is missing")
	case f.counted && s.Occurrence < 1:
		return fmt.Errorf("occurrence is %d, but must be at least 1", s.Occurrence)
	case !f.counted && s.Occurrence != 0:
		return fmt.Errorf("occurrence is %d, but %v is not counted", s.Occurrence, kind)
	}
	return nil
}

func (s Step) validateAt(timed bool) error {
	if !timed {
		if s.At != "" {
			return fmt.Errorf("at is %.40q, but the trace is untimed", s.At)
		}
		return nil
	}
	instant, err := ParseInstant(s.At)
	if err != nil {
		return err
	}
	if instant.den > maxParts {
		return fmt.Errorf("at is %s, but its denominator must be at most %d", s.At, maxParts)
	}
	return nil
}

// A form has the fields that are set in the name of an event, apart from kind and to.
type form struct{ from, valued, counted bool }

func formOf(kind model.EventKind) form {
	switch kind {
	case model.Deliver, model.Lose, model.Duplicate:
		return form{from: true, valued: true, counted: true}
	case model.Mistake, model.Partition:
		return form{valued: true}
	case model.Forge:
		return form{from: true, valued: true}
	case model.Crash, model.Stop, model.Restart:
		return form{}
	}
	return form{valued: true, counted: true}
}

func needs(needed bool) string {
	if needed {
		return "needs"
	}
	return "does not have"
}

// isNull reports whether a value is JSON's null.
func isNull(value []byte) bool { return bytes.Equal(bytes.TrimSpace(value), []byte("null")) }
