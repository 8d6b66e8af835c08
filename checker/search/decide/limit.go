package decide

// A Limit is what stopped a search, or keeps it from a verdict on a claim. The zero Limit is none.
type Limit struct {
	Code   string // such as Cut, by which limits are compared
	Detail string // for people, such as after how many states; may be ""
}

// Limited returns the limit of a code.
func Limited(code string) Limit { return Limit{Code: code} }

// None reports whether there is no limit.
func (l Limit) None() bool { return l == Limit{} }

// String returns the limit as rows print it.
func (l Limit) String() string {
	switch {
	case l.Detail == "":
		return l.Code
	case l.Code == StrictBound: // the detail goes on with the sentence
		return l.Code + ", " + l.Detail
	}
	return l.Code + ": " + l.Detail
}
