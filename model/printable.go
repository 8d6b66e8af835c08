package model

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName and MaxText are the maximum lengths of names and of texts, such as the text of a violation, in
// bytes.
const (
	MaxName = 200
	MaxText = 1000
)

// Printable escapes, like Go, the characters that are not printable or affect the display of others. It cuts
// the text after [MaxText] bytes. Newlines and tabs stay.
func Printable(text string) string {
	if fit(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 && b.Len() <= MaxText {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case printable(r) && (r != utf8.RuneError || n > 1):
			b.WriteString(text[:n])
		case n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		text = text[n:]
	}
	if len(text) > 0 {
		b.WriteString("…")
	}
	return b.String()
}

func printable(r rune) bool { return unicode.IsPrint(r) || r == '\n' || r == '\t' }

func fit(text string) bool {
	return len(text) <= MaxText && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !printable(r) })
}

// validWord returns an error if a name cannot be a separate word on a command line.
func validWord(what, name string) error {
	if strings.ContainsFunc(name, unicode.IsSpace) || strings.ContainsAny(name, "/+") || strings.HasPrefix(name, "-") {
		return fmt.Errorf("the name of %s is %.40q, but must be without blanks, / and +, and not begin with -", what, name)
	}
	return validName(what, name)
}

// validName returns an error if a name is not printable or longer than MaxName.
func validName(what, name string) error {
	if len(name) > MaxName || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("the name of %s is %.40q, but must be printable and at most %d bytes long", what, name, MaxName)
	}
	return nil
}
