package draw

import (
	"strings"
	"unicode/utf8"
)

// The texts of a step have a column of their own, on the right. The first line is the event, and further lines
// are its effects. A long text first loses nested values, innermost first, and then its end. Its title has the
// full text.

// deepest is the largest depth of nested values that is shown.
const deepest = 3

// wordsOf returns the lines of text of a step, for a column of the given width in pixels. It also reports
// whether the text was cut.
func wordsOf(r Row, lines int, wide float64) ([]string, bool) {
	what, details := r.Who+": "+r.What, strings.Join(r.Details, "; ")
	if details == "" {
		said := fit(what, lines, int(wide/perLetter))
		return said, strings.Join(said, " ") != what
	}
	said := append(fit(what, 1, int(wide/perLetter)), fit(details, lines-1, int(wide/perSmall))...)
	return said, strings.Join(said, " ") != what+" "+details
}

// fit breaks a text into at most the given number of lines and letters a line, and cuts it if needed.
func fit(text string, lines, letters int) []string {
	if len(text) <= letters {
		return []string{text}
	}
	brief := text
	for depth := deepest; ; depth-- {
		all := Fold(brief, letters)
		if depth < 0 || len(all) <= lines {
			return cutTo(all, lines, letters)
		}
		brief = collapse(text, depth)
	}
}

// cutTo cuts lines to the given number of lines and letters a line.
func cutTo(all []string, lines, letters int) []string {
	if len(all) > lines {
		all[lines-1] += " " + all[lines] // makes the line too long, so that it is cut
		all = all[:lines]
	}
	for i := range all {
		all[i] = short(all[i], letters)
	}
	return all
}

// collapse replaces values nested deeper than depth by "…". It does not change quoted texts.
func collapse(text string, depth int) string {
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
	if within > 0 { // the brackets do not enclose values
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

// Fold breaks a text at spaces into lines of at most the given number of letters. A longer word gets a
// separate line.
func Fold(s string, letters int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > letters {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// brief shortens a value to a number of letters: it omits nested values, or else cuts the end. In little room
// the type alone is more useful than the first letters.
func brief(value string, letters int) string {
	const little = 20
	if len(value) <= letters {
		return value
	}
	for depth := deepest; depth > 0 || depth == 0 && letters < little; depth-- {
		if text := collapse(value, depth); utf8.RuneCountInString(text) <= letters {
			return text
		}
	}
	return short(collapse(value, 1), letters)
}
