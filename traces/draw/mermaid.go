package draw

import (
	"fmt"
	"io"
	"strings"

	"contend/model"
)

// Mermaid writes the diagram as a Mermaid sequence diagram. Code hosts draw such diagrams in comments. A
// message is in the row of its end, with its sending step unless the previous row sent it.
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

// row writes the messages that end in a row, or else its event, and the violations and marks after it.
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
	for _, mark := range r.Marks {
		m.mark(mark)
	}
}

// mark writes a mark. The loop of a lasso becomes a loop block.
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

// message writes an arrow, with a cross if the message does not arrive.
func (m *mermaid) message(a Arrow) {
	line := "->>"
	switch a.Fate {
	case Lost, Unheard:
		line = "--x"
	case Doubled, Repeated, Forged:
		line = "-->>"
	}
	text := a.Label
	if a.Fate != Arrived {
		text += " (" + a.Fate.String() + ")"
	}
	if a.Sent < a.End-1 {
		text += fmt.Sprintf(", sent in step %d", a.Sent)
	}
	m.printf("  n%d%sn%d: %s", a.From, line, a.To, plain(text))
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

// plain escapes the characters that Mermaid interprets.
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
