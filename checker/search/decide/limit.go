package decide

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
