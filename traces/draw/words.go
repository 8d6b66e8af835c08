package draw

import (
	"strings"
	"unicode/utf8"
)

// The words of a step stand in a column of their own, on the right: what happens in the first line, and what
// came of it below, in as many lines as the picture gives a step. What is too long loses the inside of values first,
// from the innermost outwards, and then its end; the title of the words has all of it.

// deepest is how many levels of values within values are shown where there is room.
const deepest = 3

// wordsOf are the lines in which a picture says what happens in a step, in a column of a width. The
// second result reports whether they leave something out.
func wordsOf(r Row, lines int, wide float64) ([]string, bool) {
	what, details := r.Who+": "+r.What, strings.Join(r.Details, "; ")
	if details == "" {
		said := fitted(what, lines, int(wide/perLetter))
		return said, strings.Join(said, " ") != what
	}
	said := append(fitted(what, 1, int(wide/perLetter)), fitted(details, lines-1, int(wide/perSmall))...)
	return said, strings.Join(said, " ") != what+" "+details
}

// fitted is a text in so many lines of so many letters.
func fitted(text string, lines, letters int) []string {
	if len(text) <= letters {
		return []string{text}
	}
	brief := text
	for depth := deepest; ; depth-- {
		all := Folded(brief, letters)
		if depth < 0 || len(all) <= lines {
			return cutTo(all, lines, letters)
		}
		brief = collapsed(text, depth)
	}
}

// cutTo leaves so many lines, and of each so many letters.
func cutTo(all []string, lines, letters int) []string {
	if len(all) > lines {
		all[lines-1] += " " + all[lines] // which is too long
		all = all[:lines]
	}
	for i := range all {
		all[i] = short(all[i], letters)
	}
	return all
}

// collapsed is a text in which values that lie within more than so many others are "…". Texts within quotation marks
// stay as they are.
func collapsed(text string, depth int) string {
	var b strings.Builder
	within, quoted, escaped := 0, false, false
	for i, r := range text {
		opens, closes := !quoted && (r == '{' || r == '['), !quoted && (r == '}' || r == ']')
		if closes {
			within = max(within-1, 0)
		}
		if within <= depth {
			b.WriteRune(r)
		}
		if opens {
			within++
			if within == depth+1 && !strings.HasPrefix(text[i+1:], "}") && !strings.HasPrefix(text[i+1:], "]") {
				b.WriteRune('…')
			}
		}
		if r == '"' && !escaped {
			quoted = !quoted
		}
		escaped = quoted && r == '\\' && !escaped
	}
	if within > 0 { // these are no brackets of values
		return text
	}
	return b.String()
}

// short cuts a text to a number of letters.
func short(s string, letters int) string {
	if utf8.RuneCountInString(s) <= letters {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:max(letters-1, 0)]), "…") + "…"
}

// Folded breaks a text at spaces into lines of a number of letters, where no word is longer.
func Folded(s string, letters int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > letters {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// brief is a value in at most so many letters: without the inside of what lies within it, or else cut. Where there is
// little room its type alone says more than its first letters.
func brief(value string, letters int) string {
	const little = 20
	if len(value) <= letters {
		return value
	}
	for depth := deepest; depth > 0 || depth == 0 && letters < little; depth-- {
		if is := collapsed(value, depth); utf8.RuneCountInString(is) <= letters {
			return is
		}
	}
	return short(collapsed(value, 1), letters)
}
