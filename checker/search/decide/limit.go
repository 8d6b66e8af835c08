package decide

import "strings"

// A Limit is the reason why a search stopped, or why a claim has no verdict. The zero Limit is no limit.
type Limit struct {
	Code   string // such as Cut; identifies the limit
	Detail string // text, such as the number of states; may be ""
}

// Limited returns the limit with a code and no detail.
func Limited(code string) Limit { return Limit{Code: code} }

// None reports whether there is no limit.
func (l Limit) None() bool { return l == Limit{} }

// String returns the limit as rows print it.
func (l Limit) String() string {
	switch {
	case l.Detail == "":
		return l.Code
	case l.Code == StrictBound: // the detail continues the sentence
		return l.Code + ", " + l.Detail
	}
	return l.Code + ": " + l.Detail
}

// MarshalText returns the text of [Limit.String]. The error is always nil.
func (l Limit) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the text that [Limit.MarshalText] returns. The error is always nil: an unknown text
// is a code.
func (l *Limit) UnmarshalText(text []byte) error {
	code, detail, found := strings.Cut(string(text), ": ")
	if rest, strict := strings.CutPrefix(string(text), StrictBound+", "); strict {
		code, detail, found = StrictBound, rest, true
	}
	if *l = Limited(code); found {
		l.Detail = detail
	}
	return nil
}
