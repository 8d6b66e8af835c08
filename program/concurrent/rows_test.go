package concurrent

import (
	"fmt"
	"strings"
	"testing"
)

// rowsOf makes rows of letters: a digit is a goroutine that does the letter behind it on the object behind that.
func rowsOf(text string) (rows []row) {
	for _, word := range strings.Fields(text) {
		rows = append(rows, row{goroutine: int(word[0] - '0'), function: word[1:2], op: "on " + objectMark, object: word[2:]})
	}
	return rows
}

func TestRowsAreFolded(t *testing.T) {
	round := "1a1 2b1 1c1 2d1 "
	var varied strings.Builder
	for n := range 30 {
		fmt.Fprintf(&varied, "1%c1 ", 'a'+n)
	}
	for name, c := range map[string]struct{ rows, want string }{
		"several goroutines": {"0x1 " + strings.Repeat(round, 51) + "0y1", "1 2 3 4 5 goroutines 1 and 2 do steps 2–5 again 50 times 206"},
		"one goroutine":      {strings.Repeat("1a1 1b1 ", 6) + "1c1", "1 2 goroutine 1 does steps 1–2 again 5 times 13"},
		"one step":           {strings.Repeat("3a1 ", 9), "1 goroutine 3 does step 1 again 8 times"},
		"too few":            {strings.Repeat("3a1 ", 8), "1 2 3 4 5 6 7 8"},
		"half a round":       {strings.Repeat(round, 3) + "1a1 2b1", "1 2 3 4 goroutines 1 and 2 do steps 1–4 again 2 times 13 14"},
		"three goroutines":   {strings.Repeat("1a1 2b1 3c1 ", 4), "1 2 3 goroutines 1, 2 and 3 do steps 1–3 again 3 times"},
		"other objects":      {"1a1 1b2 1a3 1b4 1a5 1b6 1a7 1b8 1a9 1b9", "1 2 goroutine 1 does steps 1–2 again 4 times, on other objects"},
		"no round":           {varied.String(), "1 2 3 4 5 6 7 8 goroutine 1 does 14 more steps 23 24 25 26 27 28 29 30"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			writeRows(&b, rowsOf(c.rows))
			var got []string
			for line := range strings.Lines(b.String()) {
				line = strings.TrimSpace(line)
				if number, _, step := strings.Cut(line, "  "); step {
					line = number
				}
				got = append(got, line)
			}
			if is := strings.Join(got, " "); is != c.want {
				t.Errorf("\n%s\nwant\n%s\n%s", is, c.want, b.String())
			}
		})
	}
}

// A list without rounds is cut in its middle.
func TestLongListIsCut(t *testing.T) {
	var rows []row
	for n := range 1000 {
		rows = append(rows, row{goroutine: n % 2, function: fmt.Sprint(n)})
	}
	var b strings.Builder
	writeRows(&b, rows)
	if n := strings.Count(b.String(), "\n"); n != mostLines+1 || !strings.Contains(b.String(), "… 600 more lines") {
		t.Errorf("%d lines", n)
	}
}
