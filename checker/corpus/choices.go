package corpus

import "contend/checker/sample"

// A choice is an option out of n.
type choice struct{ value, n int }

// A script is a stream of given choices, followed by 0, as [sample.Bytes] has at its end. It records all
// choices.
type script struct {
	given []int
	made  []choice
}

// Choose returns the next choice.
func (s *script) Choose(n int) int {
	if n == 1 {
		return 0
	}
	c := 0
	if k := len(s.made); k < len(s.given) {
		c = s.given[k] % n
	}
	s.made = append(s.made, choice{c, n})
	return c
}

// A widest is a stream of last options. They restrict a run least: see [sample.Begin].
type widest struct{ made []choice }

// Choose returns the last option.
func (w *widest) Choose(n int) int {
	if n > 1 {
		w.made = append(w.made, choice{n - 1, n})
	}
	return n - 1
}

// encode returns the bytes from which [sample.Bytes] reads choices. It omits zeros at the end: they are
// implied.
func encode(made []choice) []byte {
	var data []byte
	for _, c := range made {
		data = sample.AppendChoice(data, c.n, c.value)
	}
	for len(data) > 0 && data[len(data)-1] == 0 {
		data = data[:len(data)-1]
	}
	return data
}

// options returns the chosen options.
func options(made []choice) []int {
	values := make([]int, len(made))
	for i, c := range made {
		values[i] = c.value
	}
	return values
}
