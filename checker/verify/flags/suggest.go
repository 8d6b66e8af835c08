package flags

import (
	"fmt"
	"strings"
)

// mostSuggested is the maximum number of suggested names.
const mostSuggested = 3

// DidYouMean suggests the known name closest to an unknown one, or else the first few that contain it; "" if there
// is none.
func DidYouMean(name string, known []string) string {
	best, least := "", len([]rune(strings.TrimLeft(name, "-")))/3+2
	var containing []string
	for _, k := range known {
		if d := distance(name, k); d < least {
			best, least = k, d
		}
		if len(name) > 2 && strings.Contains(strings.ToLower(k), strings.ToLower(name)) && len(containing) < mostSuggested {
			containing = append(containing, fmt.Sprintf("%q", k))
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("; did you mean %q?", best)
	case len(containing) > 0:
		return fmt.Sprintf("; did you mean %s?", strings.Join(containing, " or "))
	}
	return ""
}

// distance is Levenshtein's: the edits that make b of a.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(t)]
}
