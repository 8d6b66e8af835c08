package console

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Label names a protocol or a variant.
func Label(protocol, variant string) string {
	if variant == "" {
		return protocol
	}
	return protocol + "/" + variant
}

// Quoted writes arguments as a shell takes them.
func Quoted(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if plain := Plain(a); plain != a || strings.ContainsAny(a, "\n\t") {
			out[i] = "$'" + Plain(strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\t", `\t`).Replace(a)) + "'"
		} else if a == "" || strings.ContainsAny(a, " \t\n\"'`$&|;<>()*?[]#~\\!{}") {
			out[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

// Counted is a number with the word that fits it.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// PrintJSON prints a value on one line.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// About returns a duration in rounded words.
func About(d time.Duration) string {
	switch {
	case d < time.Minute:
		return Counted(int(d.Seconds()+0.5), "second", "seconds")
	case d < 2*time.Hour:
		return Counted(int(d.Minutes()+0.5), "minute", "minutes")
	}
	return Counted(int(d.Hours()+0.5), "hour", "hours")
}
