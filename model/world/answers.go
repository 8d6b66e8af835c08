package world

// Answering returns a chooser that gives answers, and 0 after them. An answer out of range is 0. The chooser appends
// its choices to given, unless given is nil.
func Answering(answers []int, given *[]Choice) Chooser {
	count := 0
	return func(n int, what string) int {
		is := 0
		if count < len(answers) && answers[count] < n {
			is = answers[count]
		}
		count++
		if given != nil {
			*given = append(*given, Choice{Of: n, Is: is, What: what})
		}
		return is
	}
}

// NextAnswers returns the lexicographically next answers after the given choices; false if there are none. To take a
// step with all answers, begin without answers, and go on with those of NextAnswers after each try.
func NextAnswers(given []Choice) ([]int, bool) {
	for i := len(given) - 1; i >= 0; i-- {
		if given[i].Is+1 < given[i].Of {
			var next []int
			for _, c := range given[:i+1] {
				next = append(next, c.Is)
			}
			next[i]++
			return next, true
		}
	}
	return nil, false
}
