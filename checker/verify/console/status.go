package console

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"contend/checker"
)

// A Status prints the progress of a check on stderr: on a terminal one line that is redrawn and finally erased,
// elsewhere one line a minute.
type Status struct {
	mu    sync.Mutex // a check that was given up may still tell
	w     io.Writer
	width int // of the terminal; 0 without one
	last  time.Time
	drawn bool
	stuck string // the handler that was told of last
	which string // check of how many, and how long all may still take
	begun time.Time
}

// How often the line is redrawn, and a plain line printed.
const (
	redrawn = 100 * time.Millisecond
	printed = time.Minute
)

// NewStatus returns a status on w, which may be a terminal.
func NewStatus(w io.Writer) *Status {
	s := &Status{w: w, last: time.Now()}
	if f := terminal(w); f != nil && os.Getenv("TERM") != "dumb" {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			s.width = width
		}
	}
	return s
}

// Begin starts the check with a number, from 0, of so many.
func (s *Status) Begin(check, of int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if check == 0 {
		s.begun = time.Now()
	}
	if s.width == 0 {
		s.last = time.Now() // no line stands between the rows of checks that are soon over
	}
	s.which = which(check, of, time.Since(s.begun))
}

// which returns the number of a check, and the time for the remaining checks if they are like the earlier ones.
func which(check, of int, elapsed time.Duration) string {
	switch {
	case of == 1:
		return ""
	case 10*check < of || elapsed < time.Second:
		return fmt.Sprintf("check %d of %d, ", check+1, of)
	}
	left := elapsed * time.Duration(of-check) / time.Duration(check)
	return fmt.Sprintf("check %d of %d, about %s left, ", check+1, of, About(left))
}

// Update prints the progress of a check.
func (s *Status) Update(p checker.Progress) {
	width := s.width - 1
	if s.width == 0 {
		width = Width(s.w)
	}
	s.Tell(func() string { return s.which + fitting(progress(p), width-utf8.RuneCountInString(s.which)) })
}

// fitting joins the parts that fit into a line, at least the first.
func fitting(parts []string, width int) string {
	line := parts[0]
	for _, part := range parts[1:] {
		if utf8.RuneCountInString(line+", "+part) > width {
			break
		}
		line += ", " + part
	}
	return line
}

// Tell prints a line, unless it has printed one recently. Callers call it often.
func (s *Status) Tell(text func() string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, every := time.Now(), printed
	if s.width > 0 {
		every = redrawn
	}
	if now.Sub(s.last) < every {
		return
	}
	s.last = now
	line := text()
	if s.width == 0 {
		fmt.Fprintln(s.w, line)
		return
	}
	if runes := []rune(line); len(runes) >= s.width {
		line = string(runes[:s.width-1])
	}
	fmt.Fprintf(s.w, "\r\x1b[K%s", line)
	s.drawn = true
}

// Stuck reports a handler that has run for long: see [checker.Options]. The first report stays on a line of its
// own.
func (s *Status) Stuck(handler string, since time.Duration) {
	line := fmt.Sprintf("%s: a handler has not returned for %v and may never return: %s", Program, since.Truncate(time.Second), handler)
	s.mu.Lock()
	if s.stuck != handler {
		s.clear()
		s.stuck = handler
		fmt.Fprintln(s.w, line)
	}
	s.mu.Unlock()
	s.Tell(func() string { return line })
}

// Clear erases the line.
func (s *Status) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
}

func (s *Status) clear() {
	if s.drawn {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.drawn = false
	}
}

// progress returns the parts of a line on the progress of a check, the most important first.
func progress(p checker.Progress) []string {
	elapsed := p.Elapsed.Round(100 * time.Millisecond)
	name := Label(p.Row.Protocol, p.Row.Variant)
	if m := p.Minimizing; m != nil {
		return []string{fmt.Sprintf("%s: minimizing a run of %s", name, Counted(m.From, "step", "steps")), fmt.Sprintf("%d so far", m.Steps), fmt.Sprint(elapsed),
			fmt.Sprintf("%d candidates", m.Tried), "pass: " + m.Pass}
	}
	if p.Sampled {
		of := ""
		if p.Planned > 0 {
			of = fmt.Sprintf(" of %d", p.Planned)
		}
		return []string{fmt.Sprintf("%s: %d%s schedules", name, p.Schedules, of), fmt.Sprint(elapsed), fmt.Sprintf("%d steps", p.Generated)}
	}
	rate := float64(p.Distinct) / max(p.Elapsed.Seconds(), 1e-3)
	outlook := fmt.Sprintf("layers ×%.2f", p.Growth)
	if p.Estimate > 0 {
		outlook = fmt.Sprintf("≈%d in all", max(p.Estimate, p.Distinct))
	}
	parts := []string{fmt.Sprintf("%s, %s, %s: %d states (%.0f/s)", name, p.Row.Time, searched(p.Claims), p.Distinct, rate), outlook}
	if p.Growth > 1 && len(p.Claims) > 1 && p.Elapsed >= growing {
		parts = append(parts, "--claim searches for one of them")
	}
	return append(parts, fmt.Sprint(elapsed), fmt.Sprintf("depth %d", p.Depth),
		fmt.Sprintf("%d MiB", p.MemoryBytes>>20), fmt.Sprintf("layer of %d", p.Frontier), fmt.Sprintf("%d transitions", p.Generated))
}

// growing is the time after which the line of a growing search for several claims proposes a search for one.
const growing = 30 * time.Second

// searched names the claim that is searched for, or counts the claims.
func searched(claims []string) string {
	if len(claims) == 1 {
		return fmt.Sprintf("%q", claims[0])
	}
	return fmt.Sprintf("%d claims", len(claims))
}

// Coloured reports whether output to w may be coloured.
func Coloured(w any) bool {
	return terminal(w) != nil && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
