package conform

// A memo has the results of parsing, by the text. A log repeats itself: values that are parsed once are also stored once.
type memo[T any] struct{ found map[string]T }

// mostMemo is the number of texts after which a memo begins again, and longestMemo the length of a text that it keeps.
const (
	mostMemo    = 1 << 13
	longestMemo = 1 << 12
)

// of returns what parse returns for a text, without a call if the text was parsed before in the same role.
func (m *memo[T]) of(role string, text []byte, parse func() (T, error)) (T, error) {
	if len(text) > longestMemo {
		return parse()
	}
	key := role + string(text)
	if v, known := m.found[key]; known {
		return v, nil
	}
	v, err := parse()
	if err != nil {
		return v, err
	}
	if m.found == nil || len(m.found) == mostMemo {
		m.found = map[string]T{}
	}
	m.found[key] = v
	return v, nil
}
