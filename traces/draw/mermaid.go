package draw

import (
	"fmt"
	"io"
	"strings"

	"contend/model"
)

// Mermaid writes the diagram as a sequence diagram of Mermaid, which code hosts draw in a comment.
// A message stands where it arrives, with the step that sent it where that is not the last one.
func (d *Diagram) Mermaid(w io.Writer) error {
	m := mermaid{d: d}
	m.printf("sequenceDiagram")
	m.printf("  accTitle: %s", plain(d.Title))
	m.printf("  accDescr: %s", plain(d.summary()))
	for i, l := range d.Lanes {
		name := l.Name
		if l.Byzantine {
			name += " (Byzantine)"
		}
		m.printf("  participant n%d as %s", i, plain(name))
	}
	for row, arrows := range d.Ends() {
		m.row(row, arrows)
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type mermaid struct {
	strings.Builder
	d *Diagram
}

func (m *mermaid) printf(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

// row writes the messages that end in a row, or else what happens there, and what it breaks.
func (m *mermaid) row(row int, ends []Arrow) {
	r, arrows := m.d.Rows[row], 0
	for _, a := range ends {
		if a.Fate != InFlight {
			m.message(a)
			arrows++
		}
	}
	switch {
	case arrows > 0 && (r.Kind == model.Deliver || r.Kind == model.Forge || r.Kind == model.Lose):
	case row == 0 && len(r.Details) == 0:
	case r.Lane < 0:
		m.over(r.What)
	default:
		m.printf("  Note over n%d: %s", r.Lane, plain(r.What))
	}
	for _, why := range r.Broken {
		m.over("✗ " + why)
	}
	for _, is := range r.Marks {
		m.mark(is)
	}
}

// mark writes what is to be known behind a row: the round of a lasso is a loop.
func (m *mermaid) mark(is Mark) {
	switch is.Kind {
	case LoopBegins:
		m.printf("  loop %s", plain(is.Text))
	case LoopEnds:
		m.printf("  end")
	default:
		m.over("⊘ " + is.Text)
	}
}

// message writes an arrow; one that does not arrive has a cross.
func (m *mermaid) message(a Arrow) {
	line := "->>"
	switch a.Fate {
	case Lost, Unheard:
		line = "--x"
	case Doubled, Repeated, Forged:
		line = "-->>"
	}
	says := a.Label
	if a.Fate != Arrived {
		says += " (" + a.Fate.String() + ")"
	}
	if a.Sent < a.End-1 {
		says += fmt.Sprintf(", sent in step %d", a.Sent)
	}
	m.printf("  n%d%sn%d: %s", a.From, line, a.To, plain(says))
	if a.Honest != "" {
		m.printf("  Note over n%d: %s", a.From, plain(a.Honest))
	}
}

// over writes a note over all lanes.
func (m *mermaid) over(text string) {
	if last := len(m.d.Lanes) - 1; last > 0 {
		m.printf("  Note over n0,n%d: %s", last, plain(text))
	} else {
		m.printf("  Note over n0: %s", plain(text))
	}
}

// plain writes a text so that nothing in it is read as Mermaid: letters, digits and some marks stay,
// and the others are written as its entities.
func plain(s string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(s), " ") {
		switch {
		case r == ';', r == '#', r == '<', r == '>', r == '%', r == '&', r == '"', r == '`', r == '\\', r == ':':
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
