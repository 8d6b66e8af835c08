package draw_test

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"contend/traces/draw"
	"contend/traces/show"
)

// A written is a text of a picture, with its box.
type written struct {
	text                     string
	left, top, right, bottom float64
}

// The sizes of letters by class; the first match counts.
var letters = []struct {
	class      string
	tall, wide float64
}{{"label", 11, 5.8}, {"title", 16, 8.8}, {"name", 12, 7.2}, {"why", 12, 6.2}, {"liar", 10, 5.4}, {"more", 11, 5.8}, {"", 12, 6.2}}

// texts returns the texts of a picture, without titles.
func texts(t *testing.T, svg string) (all []written) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	var now *written
	var class string
	title := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			title = e.Name.Local == "title"
			if e.Name.Local == "text" {
				now, class = &written{}, ""
				for _, a := range e.Attr {
					switch a.Name.Local {
					case "class":
						class = a.Value
					case "x":
						now.left, _ = strconv.ParseFloat(a.Value, 64)
					case "y":
						now.bottom, _ = strconv.ParseFloat(a.Value, 64)
					}
				}
			}
		case xml.CharData:
			if now != nil && !title {
				now.text += string(e)
			}
		case xml.EndElement:
			if e.Name.Local == "title" {
				title = false
			}
			if e.Name.Local == "text" {
				all = append(all, now.boxed(class))
				now = nil
			}
		}
	}
}

// boxed returns the text with the box for a class.
func (w written) boxed(class string) written {
	for _, l := range letters {
		if !strings.Contains(class, l.class) {
			continue
		}
		wide := l.wide * float64(utf8.RuneCountInString(w.text))
		switch {
		case strings.Contains(class, "right"):
			w.left -= wide
		case strings.Contains(class, "label"), strings.Contains(class, "name"), class == "liar":
			w.left -= wide / 2
		}
		w.right, w.top = w.left+wide, w.bottom-l.tall*.8
		return w
	}
	return w
}

// apart checks that texts do not overlap and are within the picture.
func apart(t *testing.T, name, svg string) {
	t.Helper()
	all := texts(t, svg)
	for i, a := range all {
		require.GreaterOrEqual(t, a.left, 0.0, "%s: %q", name, a.text)
		for _, b := range all[:i] {
			if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
				t.Errorf("%s: %q at %.0f,%.0f and %q at %.0f,%.0f cover each other", name, a.text, a.left, a.bottom, b.text, b.left, b.bottom)
			}
		}
	}
}

// To scale a tick is as tall everywhere, rows of one instant are a row apart, and a long wait is
// shortened with a mark; a hold ends where its time has come, between two rows.
func TestScale(t *testing.T) {
	d := &draw.Diagram{Timed: true, Lanes: []draw.Lane{{Name: "a"}}, Bare: true}
	for _, at := range []float64{0, 1, 1, 3, 50} {
		d.Rows = append(d.Rows, draw.Row{At: at, Line: show.Line{Who: "a", What: "does"}})
	}
	d.Bars = []draw.Bar{{Kind: draw.Hold, From: 1, To: 2, Until: 2}}
	require.NoError(t, d.Rule("time"))
	svg := picture(t, d)
	var apart []int
	last := 0
	for _, m := range regexp.MustCompile(`<rect class="row" x="16" y="(\d+)"`).FindAllStringSubmatch(svg, -1) {
		y, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		apart, last = append(apart, y-last), y
	}
	require.Equal(t, []int{56, 28, 112, 252}, apart[1:])
	require.Equal(t, 1, strings.Count(svg, "+47</text>"))
	hold := regexp.MustCompile(`<path class="hold" d="M\d+,(\d+)V(\d+)"><title>`).FindStringSubmatch(svg)
	from, _ := strconv.Atoi(hold[1])
	to, _ := strconv.Atoi(hold[2])
	require.Equal(t, 28+56, to-from)
	require.NoError(t, d.Rule("steps"))
	require.NotContains(t, picture(t, d), "+47</text>")
	require.EqualError(t, d.Rule("high"), `heights is "high", but must be time or steps`)
	d.Timed = false
	require.EqualError(t, d.Rule("time"), "heights is time, but the run is untimed")
}
