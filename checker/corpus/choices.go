package corpus

import "contend/checker/sample"

// A choice is one of n options.
type choice struct{ is, n int }

// script makes choices as written, then, as [sample.Bytes] at the end of its bytes, the first of all. It
// lists all that were asked for.
type script struct {
	written []int
	asked   []choice
}

// Choose makes the next choice.
func (s *script) Choose(n int) int {
	if n == 1 {
		return 0
	}
	is := 0
	if k := len(s.asked); k < len(s.written) {
		is = s.written[k] % n
	}
	s.asked = append(s.asked, choice{is, n})
	return is
}

// widest takes the last of all options, by which a run begins so that the most is possible in it: see [sample.Begin].
type widest struct{ asked []choice }

// Choose takes the last option.
func (w *widest) Choose(n int) int {
	if n > 1 {
		w.asked = append(w.asked, choice{n - 1, n})
	}
	return n - 1
}

// encode writes choices as [sample.Bytes] reads them. Bytes of 0 at the end are left out: it reads those anyway.
func encode(made []choice) []byte {
	var data []byte
	for _, c := range made {
		data = sample.AppendChoice(data, c.n, c.is)
	}
	for len(data) > 0 && data[len(data)-1] == 0 {
		data = data[:len(data)-1]
	}
	return data
}

// options are choices without how many options each had.
func options(made []choice) []int {
	is := make([]int, len(made))
	for i, c := range made {
		is[i] = c.is
	}
	return is
}
