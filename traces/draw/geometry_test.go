package draw_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/traces/draw"
)

// An element is an element of a picture, with its group.
type element struct {
	name, class string
	is          map[string]string
	in          map[string]string // the attributes of the group
	text, title string
	points      []float64 // the numbers of its path
}

var number = regexp.MustCompile(`-?\d+(\.\d+)?`)

func (e element) num(key string) float64 { n, _ := strconv.ParseFloat(e.is[key], 64); return n }

// elements returns the elements of a picture. The title at the end of a group belongs to its last element.
func elements(t *testing.T, svg string) (all []element, wide, tall float64) {
	t.Helper()
	reader := xml.NewDecoder(strings.NewReader(svg))
	var open []string
	group, title, before := map[string]string{}, "", 0
	for {
		token, err := reader.Token()
		if errors.Is(err, io.EOF) {
			return all, wide, tall
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			is := map[string]string{}
			for _, a := range token.Attr {
				is[a.Name.Local] = a.Value
			}
			switch token.Name.Local {
			case "svg":
				e := element{is: is}
				wide, tall = e.num("width"), e.num("height")
				require.Equal(t, fmt.Sprintf("0 0 %s %s", is["width"], is["height"]), is["viewBox"])
			case "g":
				group, title, before = is, "", len(all)
			case "rect", "path", "text", "circle":
				e := element{name: token.Name.Local, class: is["class"], is: is, in: group, title: title}
				for _, n := range number.FindAllString(is["d"], -1) {
					v, _ := strconv.ParseFloat(n, 64)
					e.points = append(e.points, v)
				}
				all = append(all, e)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
			if token.Name.Local == "g" {
				group, title = map[string]string{}, ""
			}
		case xml.CharData:
			text := strings.TrimSpace(string(token))
			if text == "" {
				break
			}
			switch at := open[len(open)-1]; {
			case at == "text":
				all[len(all)-1].text += text
			case at == "title" && open[len(open)-2] == "g" && len(all) > before:
				all[len(all)-1].title = text
			case at == "title" && open[len(open)-2] == "g":
				title = text
			case at == "title" && open[len(open)-2] != "svg":
				all[len(all)-1].title = text
			}
		}
	}
}

// A sheet has the positions that are read from a picture.
type sheet struct {
	d          *draw.Diagram
	all        []element
	wide, tall float64
	xs         []float64 // of lanes, by their names
	ys         []float64 // of rows, by their numbers
	below      []float64 // of where the time behind a row begins
	lines      []int     // of words
	lane       float64
	text       float64 // where the words begin
	end        float64
}

func (s *sheet) named(name string, classes ...string) (all []element) {
	for _, e := range s.all {
		if e.name == name && slices.Contains(classes, e.class) {
			all = append(all, e)
		}
	}
	return all
}

// y returns the height of a row, or of a point above the first.
func (s *sheet) y(row int) float64 {
	if row < 0 {
		return s.ys[0] - 14
	}
	return s.ys[row]
}

// bands returns the texts and classes of the bands below a row.
func bands(r draw.Row) (texts, classes []string) {
	for _, why := range r.Broken {
		texts, classes = append(texts, "✗ "+why), append(classes, "broken")
	}
	for _, m := range r.Marks {
		switch m.Kind {
		case draw.NoReturn:
			texts, classes = append(texts, "⊘ "+m.Text), append(classes, "point")
		case draw.LoopBegins:
			texts, classes = append(texts, "↻ "+m.Text+":"), append(classes, "turn")
		case draw.LoopEnds:
			texts, classes = append(texts, "↻ "+m.Text), append(classes, "turn")
		}
	}
	return texts, classes
}

// read determines the positions of lanes and rows from a picture, and checks everything else against the
// diagram. It knows the heights of the layout: a row has 28, a band 22, and a third line of text 16.
func read(t *testing.T, name string, d *draw.Diagram) {
	t.Helper()
	s := &sheet{d: d}
	s.all, s.wide, s.tall = elements(t, picture(t, d))
	for _, e := range s.named("text", "name") {
		s.xs = append(s.xs, e.num("x"))
	}
	require.Len(t, s.xs, len(d.Lanes), name)
	rows := s.named("rect", "row")
	require.Len(t, rows, len(d.Rows), name)
	for i, e := range rows {
		require.Equal(t, strconv.Itoa(d.Rows[i].Step), e.in["data-step"], name)
		s.ys = append(s.ys, e.num("y")+14)
		s.lines = append(s.lines, 0)
	}
	s.lane = 132
	if len(s.xs) > 1 {
		s.lane = s.xs[1] - s.xs[0]
	}
	for i, x := range s.xs {
		require.InDelta(t, s.xs[0]+s.lane*float64(i), x, 1.1, "%s: lanes are as far apart everywhere", name)
	}
	s.words(t, name)
	for i := range d.Rows {
		texts, _ := bands(d.Rows[i])
		s.below = append(s.below, s.ys[i]+s.more(i)+22*float64(len(texts)))
	}
	s.end = s.below[len(s.below)-1] + 14
	for _, check := range []func(*testing.T, string){s.inside, s.heights, s.names, s.dots, s.bands, s.bars, s.arrows, s.labels, s.axis, s.legend, s.head} {
		if check(t, name); t.Failed() {
			t.Fatal(name)
		}
	}
}

// more returns the extra height of a row.
func (s *sheet) more(row int) float64 {
	if s.lines[row] > 2 {
		return float64(13*(s.lines[row]-2) + 3)
	}
	return 0
}

// words checks the texts of steps: they are complete or have a title, and are in their rows and column.
func (s *sheet) words(t *testing.T, name string) {
	said := map[string][]element{}
	for _, e := range s.all {
		if e.in["class"] != "step" || e.name != "text" || e.class != "" && e.class != "more" {
			continue
		}
		said[e.in["data-step"]] = append(said[e.in["data-step"]], e)
		s.text = e.num("x")
	}
	for i, r := range s.d.Rows {
		all := said[strconv.Itoa(r.Step)]
		s.lines[i] = len(all)
		require.NotEmpty(t, all, name)
		require.LessOrEqual(t, len(all), 3, name)
		var texts []string
		per := 7.
		for k, e := range all {
			require.Equal(t, k > 0 && len(r.Details) > 0, e.class == "more", "%s, row %d, line %d", name, i, k)
			if e.class == "more" {
				per = 6.4
			}
			texts = append(texts, e.text)
			require.LessOrEqual(t, float64(utf8.RuneCountInString(e.text))*per, s.wide-16-s.text+.1, name)
			require.InDelta(t, all[0].num("y")+13*float64(k), e.num("y"), 1, name)
			require.InDelta(t, s.text, e.num("x"), .1, name)
		}
		require.InDelta(t, s.ys[i]+4, (all[0].num("y")+all[min(len(all), 2)-1].num("y"))/2, .6, name)
		whole := r.Who + ": " + r.What
		if len(r.Details) > 0 {
			whole += " " + strings.Join(r.Details, "; ")
		}
		if is := all[len(all)-1]; strings.Join(texts, " ") != whole {
			require.Equal(t, strings.Join(append([]string{r.Who + ": " + r.What}, r.Details...), "; "), is.title, name)
			require.Contains(t, strings.Join(texts, " "), "…", name)
		} else {
			require.Empty(t, is.title, name)
		}
	}
}

// inside checks that everything is within the picture.
func (s *sheet) inside(t *testing.T, name string) {
	within := func(e element, x, y, w, h float64) {
		require.True(t, x >= -.6 && y >= -.6 && x+w <= s.wide+.6 && y+h <= s.tall+.6, "%s: %v is at %v, %v, %v wide and %v tall; the picture %v and %v", name, e, x, y, w, h, s.wide, s.tall)
	}
	for _, e := range s.all {
		switch e.name {
		case "rect":
			require.GreaterOrEqual(t, e.num("width"), 0., name)
			require.GreaterOrEqual(t, e.num("height"), 0., name)
			within(e, e.num("x"), e.num("y"), e.num("width"), e.num("height"))
		case "circle":
			within(e, e.num("cx")-4, e.num("cy")-4, 8, 8)
		case "text":
			if e.class == "name" {
				half := 7.6 * float64(utf8.RuneCountInString(e.text)) / 2
				within(e, e.num("x")-half, e.num("y")-12, 2*half, 12)
			} else {
				within(e, e.num("x"), e.num("y")-11, 1, 12)
			}
		}
	}
}

// heights checks the distances of rows against the rule: by steps a row plus 10 for each tick, up to 90; to
// scale the shortest wait is two rows high, and no wait more than nine or less than one.
func (s *sheet) heights(t *testing.T, name string) {
	least := math.Inf(1)
	for i := 1; i < len(s.ys); i++ {
		if wait := s.d.Rows[i].At - s.d.Rows[i-1].At; wait > 0 {
			least = min(least, wait)
		}
	}
	for i := 1; i < len(s.ys); i++ {
		wait := s.d.Rows[i].At - s.d.Rows[i-1].At
		want := 28 + min(10*wait, 90)
		if s.d.Scaled {
			want = max(min(56*wait/least, 252), 28)
		}
		require.InDelta(t, want, s.ys[i]-s.below[i-1], .6, "%s: row %d", name, i)
	}
	var times []element
	for _, e := range s.all {
		if e.name == "text" && e.class == "soft right" && e.in["class"] == "step" && e.num("x") > 60 {
			times = append(times, e)
		}
	}
	for i, r := range s.d.Rows {
		if s.d.Timed && (!s.d.Scaled || i == 0 || r.At > s.d.Rows[i-1].At) {
			require.NotEmpty(t, times, name)
			require.Equal(t, r.Time, times[0].text, name)
			require.InDelta(t, s.ys[i]+4, times[0].num("y"), .6, name)
			times = times[1:]
		}
	}
	require.Empty(t, times, name)
	told := s.named("rect", "told")
	var at []float64
	for i := range s.d.Rows {
		if slices.Contains(s.d.Marked, i) {
			at = append(at, s.ys[i]-12)
		}
	}
	for i, y := range at {
		require.InDelta(t, y, told[i].num("y"), .6, name)
	}
	turn := s.named("path", "loop")
	require.Equal(t, s.d.Loop > 0, len(turn) > 0 && turn[0].title != "", name)
	if s.d.Loop > 0 {
		p := turn[0].points
		require.InDelta(t, s.y(s.d.Loop), p[3]+6, .6, name)
		require.InDelta(t, s.ys[len(s.ys)-1], p[1]-6, .6, name)
	}
}

// names checks that the names of lanes do not overlap and are above the rows, and that a cut name has a title.
func (s *sheet) names(t *testing.T, name string) {
	all := s.named("text", "name")
	liars := s.named("text", "liar")
	for i, e := range all {
		is := s.d.Lanes[i].Name
		require.Equal(t, strconv.Itoa(i), e.is["data-lane"], name)
		require.True(t, e.text == is || e.title == is && strings.HasPrefix(is, strings.TrimSuffix(e.text, "…")), "%s: %q for %q", name, e.text, is)
		require.Less(t, e.num("y"), s.ys[0]-14, name)
		if s.d.Lanes[i].Byzantine {
			require.InDelta(t, e.num("x"), liars[0].num("x"), .1, name)
			require.InDelta(t, e.num("y")+12, liars[0].num("y"), .1, name)
			liars = liars[1:]
		}
		for k, o := range all[:i] {
			half := 7.6 * float64(utf8.RuneCountInString(e.text)+utf8.RuneCountInString(o.text)) / 2
			require.True(t, math.Abs(e.num("y")-o.num("y")) > 12 || e.num("x")-o.num("x") >= half, "%s: %q and %q", name, all[k].text, e.text)
		}
	}
	require.Empty(t, liars, name)
	fits := !slices.ContainsFunc(s.d.Lanes, func(l draw.Lane) bool {
		return 7.6*float64(utf8.RuneCountInString(l.Name))+6 > s.lane-1
	})
	for i, e := range all {
		require.True(t, !fits || e.text == s.d.Lanes[i].Name && e.num("y") == all[0].num("y"), name)
	}
	for i, e := range s.named("path", "lane")[:len(s.d.Lanes)] {
		if len(s.named("path", "lane")) == len(s.d.Lanes) {
			require.InDelta(t, s.xs[i], e.points[0], .6, name)
			require.InDelta(t, s.ys[0]-14, e.points[1], .6, name)
			require.InDelta(t, s.end, e.points[2], .6, name)
		}
	}
}

// dots checks that each step at a node has one dot.
func (s *sheet) dots(t *testing.T, name string) {
	var all []element
	for _, e := range s.all {
		if e.name == "circle" {
			all = append(all, e)
		}
	}
	for i, r := range s.d.Rows {
		if r.Lane < 0 {
			continue
		}
		require.NotEmpty(t, all, name)
		e := all[0]
		require.Equal(t, strconv.Itoa(r.Step), e.is["data-step"], name)
		require.InDelta(t, s.xs[r.Lane], e.num("cx"), .6, name)
		require.InDelta(t, s.ys[i], e.num("cy"), .6, name)
		require.Equal(t, r.Fault, e.class == "dot fault", name)
		all = all[1:]
	}
	require.Empty(t, all, name)
	rules := s.named("path", "rule")[0].points
	for i := range s.ys {
		require.InDelta(t, s.ys[i], rules[3*i+1], .6, name)
		require.InDelta(t, s.xs[0]-s.lane/2, rules[3*i], 1.1, name)
		require.InDelta(t, s.text-6, rules[3*i+2], .6, name)
	}
}

// bands checks that each band has a separate line, between the texts and the next row.
func (s *sheet) bands(t *testing.T, name string) {
	grounds, said := s.named("rect", "broken", "point", "turn"), s.named("text", "why", "again")
	said = slices.DeleteFunc(said, func(e element) bool { return e.num("y") < s.ys[0]-14 }) // above the picture
	for i, r := range s.d.Rows {
		texts, classes := bands(r)
		for k, text := range texts {
			require.NotEmpty(t, grounds, name)
			top := s.ys[i] + 14 + s.more(i) + 22*float64(k)
			require.InDelta(t, top+1, grounds[0].num("y"), .6, name)
			require.Equal(t, classes[k], grounds[0].class, name)
			require.InDelta(t, 16, grounds[0].num("x"), .1, name)
			require.InDelta(t, s.wide-32, grounds[0].num("width"), .6, name)
			require.True(t, said[0].text == text || said[0].title == text && strings.HasSuffix(said[0].text, "…"), "%s: %q for %q", name, said[0].text, text)
			require.InDelta(t, top+15, said[0].num("y"), .6, name)
			require.Equal(t, map[string]string{"broken": "why", "point": "why", "turn": "again"}[classes[k]], said[0].class, name)
			require.LessOrEqual(t, 7.2*float64(utf8.RuneCountInString(said[0].text)), s.wide-32-12+.1, name)
			grounds, said = grounds[1:], said[1:]
		}
	}
	require.Empty(t, grounds, name)
	require.Empty(t, said, name)
}

// ends returns the height at which a bar ends.
func (s *sheet) ends(b draw.Bar) float64 {
	switch {
	case b.Open:
		return s.end
	case b.Until == 0:
		return s.y(b.To)
	}
	from, to := s.d.Rows[b.To].At, s.d.Rows[b.To+1].At
	return s.below[b.To] + (s.ys[b.To+1]-s.below[b.To])*(b.Until-from)/(to-from)
}

// bars checks the lane and the rows of each bar.
func (s *sheet) bars(t *testing.T, name string) {
	classes := [...]string{"operation", "section", "down", "alarm", "hold", "cut"}
	var drawn []element
	for _, e := range s.all {
		if slices.Contains(classes[:], e.class) && e.title != "" {
			drawn = append(drawn, e)
		}
	}
	bars := slices.Clone(s.d.Bars)
	slices.SortStableFunc(bars, func(a, b draw.Bar) int { // bars of the network are below all other bars
		return map[bool]int{true: 0, false: 1}[a.Kind == draw.Cut] - map[bool]int{true: 0, false: 1}[b.Kind == draw.Cut]
	})
	require.Len(t, drawn, len(bars), name)
	for i, b := range bars {
		e, says := drawn[i], b.Kind.String()+" "+b.Label
		require.Equal(t, classes[b.Kind], e.class, name)
		from, to := s.y(b.From), s.ends(b)
		switch b.Kind {
		case draw.Cut:
			says = "cut off: " + b.Label
			require.InDelta(t, s.xs[0]-s.lane/2, e.num("x"), 1.1, name)
			require.InDelta(t, s.lane*float64(len(s.xs)), e.num("width"), 1.1*float64(len(s.xs)), name)
		case draw.Alarm, draw.Hold:
			beside := map[draw.BarKind]float64{draw.Alarm: 11, draw.Hold: -11}[b.Kind]
			require.InDelta(t, s.xs[b.Lane]+beside, e.points[0], .6, name)
			require.InDelta(t, from, e.points[1], .6, name)
			require.InDelta(t, to, e.points[2], .6, name)
		default:
			require.InDelta(t, s.xs[b.Lane], e.num("x")+e.num("width")/2, .6, name)
		}
		if b.Kind != draw.Alarm && b.Kind != draw.Hold {
			require.InDelta(t, from, e.num("y"), .6, name)
			require.InDelta(t, to-from, e.num("height"), 1.1, "%s: %v", name, b)
		}
		if b.Label == b.Kind.String() {
			says = b.Label
		}
		require.Equal(t, strings.Join(strings.Fields(says), " "), strings.Join(strings.Fields(e.title), " "), name)
	}
}

// A line is straight.
type line struct{ x0, y0, x1, y1 float64 }

// goes returns the drawn line of a message.
func (s *sheet) goes(a draw.Arrow) line {
	l := line{s.xs[a.From], s.y(a.Sent), s.xs[a.To], s.y(a.End)}
	cut := func(part float64) { l.x1, l.y1 = l.x0+(l.x1-l.x0)*part, l.y0+(l.y1-l.y0)*part }
	switch {
	case a.Fate == draw.InFlight && a.From == a.To:
		l.x1, l.y1 = l.x0+26, l.y0+8
	case a.Fate == draw.InFlight:
		l.y1 = l.y0 + 16
		cut(.8)
	case a.Fate == draw.Lost && a.From != a.To:
		cut(.7)
	}
	return l
}

// says reports whether a title describes a message in at most the given number of letters.
func (s *sheet) says(a draw.Arrow, title string, letters int) bool {
	is := fmt.Sprintf("%s from %s to %s %s", a.Label, s.d.Lanes[a.From].Name, s.d.Lanes[a.To].Name, a.Fate)
	if a.Delay != "" {
		is += ", after " + a.Delay + " ticks"
	}
	if a.By != "" {
		is += "; the adversary's " + a.By
	}
	if a.Honest != "" {
		is += "; " + a.Honest
	}
	if utf8.RuneCountInString(is) > letters {
		is = strings.TrimSpace(string([]rune(is)[:letters-1])) + "…"
	}
	return title == is
}

// arrows checks the lanes, the rows and the fate of each arrow.
func (s *sheet) arrows(t *testing.T, name string) {
	classes := [...]string{"arrived", "doubled", "repeated", "forged", "unheard", "lost", "flight"}
	var all [][]element
	for i, e := range s.all {
		if !strings.HasPrefix(e.in["class"], "message") || strings.Contains(e.in["class"], "words") {
			continue
		}
		if i == 0 || !strings.HasPrefix(e.class, "way") && len(all) > 0 {
			all[len(all)-1] = append(all[len(all)-1], e)
		} else {
			all = append(all, []element{e})
		}
	}
	require.Len(t, all, len(s.d.Arrows), name)
	first := s.d.Rows[0].Step
	for i, a := range s.d.Arrows {
		e, p, l := all[i][0], all[i][0].points, s.goes(a)
		require.Equal(t, strconv.Itoa(a.Sent+first), e.in["data-sent"], name)
		end, has := e.in["data-end"]
		require.Equal(t, a.Fate != draw.InFlight, has, name)
		require.Equal(t, a.Fate == draw.InFlight, e.in["class"] == "message flying", name)
		require.True(t, !has || end == strconv.Itoa(a.End+first), name)
		require.Contains(t, strings.Fields(e.class), classes[a.Fate], name)
		require.True(t, s.says(a, e.title, 2000), "%s: %q", name, e.title)
		require.InDelta(t, l.x0, p[0], .6, name)
		require.InDelta(t, l.y0, p[1], .6, name)
		x, y := p[len(p)-2], p[len(p)-1]
		tip := all[i][1].points
		if a.Fate == draw.InFlight {
			long := math.Hypot(l.x1-l.x0, l.y1-l.y0)
			part := min(26/long, 1)
			require.InDelta(t, l.x0+(l.x1-l.x0)*part, x, 1.1, name)
			require.InDelta(t, l.y0+(l.y1-l.y0)*part, y, 1.1, name)
			tip = []float64{tip[2], tip[3], tip[0], tip[1], tip[4], tip[5]}
		} else {
			require.InDelta(t, l.x1, x, 1.1, name)
			require.InDelta(t, l.y1, y, .6, name)
		}
		require.Len(t, all[i], 2, name)
		back := line{l.x0, l.y0, x, y}
		if a.From == a.To && a.Fate != draw.InFlight { // it returns to its lane from the right
			require.InDelta(t, l.x0+26, p[2], .6, name)
			require.InDelta(t, l.x0+26, p[4], .6, name)
			require.InDelta(t, l.y0, p[3], .6, name)
			require.InDelta(t, l.y1, p[5], .6, name)
			back = line{l.x1 + 26, l.y1, x, y}
		}
		if a.Fate == draw.Lost || a.Fate == draw.Unheard {
			require.Equal(t, "cross", all[i][1].class, name)
			require.InDelta(t, x, tip[0]+4, .6, name)
			require.InDelta(t, y, tip[1]+4, .6, name)
			continue
		}
		head, long, half := "head "+classes[a.Fate], 9., 3.5
		if a.Fate == draw.InFlight {
			head, long, half = "vane stub", 5, 3
		}
		require.Equal(t, head, all[i][1].class, name)
		require.InDelta(t, x, tip[0], .6, name)
		require.InDelta(t, y, tip[1], .6, name)
		// Its foot is behind the point, and across the way.
		far := math.Hypot(back.x1-back.x0, back.y1-back.y0)
		dx, dy := (back.x1-back.x0)/far, (back.y1-back.y0)/far
		require.InDelta(t, x-dx*long, (tip[2]+tip[4])/2, .6, name)
		require.InDelta(t, y-dy*long, (tip[3]+tip[5])/2, .6, name)
		require.InDelta(t, 2*half, math.Hypot(tip[4]-tip[2], tip[5]-tip[3]), .3, name)
		require.InDelta(t, 0, (tip[4]-tip[2])*dx+(tip[5]-tip[3])*dy, .6, name)
	}
}

// A pane is a rectangle of the picture.
type pane struct{ left, top, right, bottom float64 }

func (a pane) meets(b pane) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

// takes returns the pane of a label.
func (e element) takes() pane {
	half := 3.3*float64(utf8.RuneCountInString(e.text)) + 2
	return pane{e.num("x") - half, e.num("y") - 10, e.num("x") + half, e.num("y") + 3}
}

// labels checks that labels overlap neither each other nor dots and bands, and are within the lanes and beside
// their messages.
func (s *sheet) labels(t *testing.T, name string) {
	var taken []pane
	for i, r := range s.d.Rows {
		if r.Lane >= 0 {
			taken = append(taken, pane{s.xs[r.Lane] - 4, s.ys[i] - 4, s.xs[r.Lane] + 4, s.ys[i] + 4})
		}
		if texts, _ := bands(r); len(texts) > 0 {
			taken = append(taken, pane{0, s.ys[i] + 15 + s.more(i), s.wide, s.below[i] + 14})
		}
	}
	room := pane{s.xs[0] - s.lane/2 - 1, s.ys[0] - 14, s.text - 3, s.end}
	first := s.d.Rows[0].Step
	for _, e := range s.all {
		if e.in["class"] != "message words" {
			continue
		}
		is := e.takes()
		require.True(t, is.left >= room.left && is.right <= room.right && is.top >= room.top && is.bottom <= room.bottom, "%s: %q at %v, but there is room at %v", name, e.text, is, room)
		for _, other := range taken {
			require.False(t, is.meets(other), "%s: %q at %v meets %v", name, e.text, is, other)
		}
		taken = append(taken, is)
		i := slices.IndexFunc(s.d.Arrows, func(a draw.Arrow) bool {
			return strconv.Itoa(a.Sent+first) == e.in["data-sent"] && strconv.Itoa(a.End+first) == e.in["data-end"] &&
				s.says(a, e.title, 300) && s.besides(a, e)
		})
		require.GreaterOrEqual(t, i, 0, "%s: %q at %v is beside no such message", name, e.text, is)
		a := s.d.Arrows[i]
		if e.class == "label honest" {
			require.True(t, strings.HasPrefix(e.text, "honest:") && a.Honest != "", name)
			continue
		}
		require.Equal(t, "label", e.class, name)
		text := e.text
		if a.Delay != "" && a.Delay != "0" {
			require.True(t, strings.HasSuffix(text, " · "+a.Delay), "%s: %q", name, text)
			text = strings.TrimSuffix(text, " · "+a.Delay)
		}
		require.LessOrEqual(t, utf8.RuneCountInString(text), 26, name)
		require.True(t, text == a.Label || strings.Contains(text, "…"), "%s: %q for %q", name, text, a.Label)
		kind, _, _ := strings.Cut(a.Label, "{")
		short, _, _ := strings.Cut(strings.TrimSuffix(text, "…"), "{")
		require.True(t, strings.HasPrefix(kind, short), "%s: %q for %q", name, text, a.Label)
	}
}

// besides reports whether a label is next to its message.
func (s *sheet) besides(a draw.Arrow, e element) bool {
	l, x, y := s.goes(a), e.num("x"), e.num("y")
	if a.From == a.To {
		p := e.takes()
		return math.Abs(y-4-(l.y0+l.y1)/2) < 15 && (math.Abs(p.left-l.x0-26) < 2 || math.Abs(p.right-l.x0+14) < 2)
	}
	at := l.y0 + (l.y1-l.y0)*(x-l.x0)/(l.x1-l.x0)
	slack := math.Abs((l.y1-l.y0)/(l.x1-l.x0)) + 1
	inside := (x-l.x0)/(l.x1-l.x0) > 0 && (x-l.x0)/(l.x1-l.x0) < 1
	return inside && (math.Abs(y-at+4) < slack || math.Abs(y-at-13) < slack)
}

// axis checks the time axis: a stroke at each whole tick, or at every few, and the length of a shortened wait.
func (s *sheet) axis(t *testing.T, name string) {
	instants := slices.DeleteFunc(s.named("path", "instant"), func(e element) bool { return e.points[1] > s.end })
	var strokes, waits, numbers []element
	for _, e := range s.all {
		switch {
		case e.name == "path" && e.class == "axis" && strings.HasSuffix(e.is["d"], "h5"):
			strokes = append(strokes, e)
		case e.name == "text" && e.class == "soft right" && e.in["class"] == "" && strings.HasPrefix(e.text, "+"):
			waits = append(waits, e)
		case e.name == "text" && e.class == "soft right" && e.in["class"] == "":
			numbers = append(numbers, e)
		}
	}
	gaps := 0
	if s.d.Scaled {
		least := math.Inf(1)
		for i := 1; i < len(s.ys); i++ {
			if wait := s.d.Rows[i].At - s.d.Rows[i-1].At; wait > 0 {
				least = min(least, wait)
			}
		}
		tall, every := 56/least, 1.
		for _, next := range []float64{2, 5, 10, 20, 50, 100, 200, 500, 1000} {
			if every*tall < 14 {
				every = next
			}
		}
		for i := range len(s.ys) - 1 {
			from, to := s.d.Rows[i].At, s.d.Rows[i+1].At
			switch {
			case to <= from:
				require.NotEmpty(t, instants, name)
				require.InDelta(t, s.ys[i], instants[0].points[1], .6, name)
				require.InDelta(t, s.ys[i+1], instants[0].points[2], .6, name)
				instants = instants[1:]
			case tall*(to-from) > 252:
				require.NotEmpty(t, waits, name)
				require.Equal(t, fmt.Sprintf("+%.4g", to-from), waits[0].text, name)
				require.True(t, s.below[i] < waits[0].num("y") && waits[0].num("y") < s.ys[i+1], name)
				waits = waits[1:]
				gaps += 1 + len(s.xs)
			default:
				for tick := every * (math.Floor(from/every) + 1); tick < to; tick += every {
					require.NotEmpty(t, strokes, name)
					y := s.below[i] + (s.ys[i+1]-s.below[i])*(tick-from)/(to-from)
					require.InDelta(t, y, strokes[0].points[1], .2, name)
					strokes = strokes[1:]
					if y-s.below[i] > 14 && s.ys[i+1]-y > 14 {
						require.NotEmpty(t, numbers, name)
						require.Equal(t, strconv.FormatFloat(tick, 'f', -1, 64), numbers[0].text, name)
						require.InDelta(t, y+4, numbers[0].num("y"), .2, name)
						numbers = numbers[1:]
					}
				}
			}
		}
	}
	require.Empty(t, instants, name)
	require.Empty(t, strokes, name)
	require.Empty(t, waits, name)
	require.Empty(t, numbers, name)
	require.Len(t, s.named("path", "gap"), gaps, name)
}

// legend checks that the legend has exactly the marks of the diagram, without overlaps.
func (s *sheet) legend(t *testing.T, name string) {
	want := map[string]bool{}
	for _, a := range s.d.Arrows {
		want["a message that "+a.Fate.String()] = true
	}
	for _, b := range s.d.Bars {
		want[b.Kind.String()] = true
	}
	for says, is := range map[string]bool{"rows of one instant; else heights are times": s.d.Scaled, "a step that “why” speaks of": len(s.d.Marked) > 0, "steps that repeat for ever": s.d.Loop > 0} {
		if is {
			want[says] = true
		}
	}
	var got []string
	var taken []pane
	for i, e := range s.all {
		if e.name != "text" || e.class != "soft" || e.num("y") < s.end {
			continue
		}
		got = append(got, e.text)
		is := pane{e.num("x") - 36, e.num("y") - 10, e.num("x") + 7*float64(utf8.RuneCountInString(e.text)), e.num("y") + 3}
		require.LessOrEqual(t, is.right, s.wide, name)
		for _, other := range taken {
			require.False(t, is.meets(other), "%s: %q", name, e.text)
		}
		taken = append(taken, is)
		sample := s.all[i-1] // it is before its words, at their height
		x, y := sample.num("x"), sample.num("y")+7
		if sample.name == "path" {
			x, y = sample.points[0], sample.points[1]
			if strings.Contains(sample.is["d"], "V") { // it is vertical
				require.InDelta(t, y+14, sample.points[2], .1, name)
				y += 7
			} else {
				require.InDelta(t, x+28, sample.points[2], .1, name)
			}
		}
		require.True(t, is.left <= x && x < e.num("x"), "%s: %q", name, e.text)
		require.InDelta(t, e.num("y")-4, y, .6, "%s: %q", name, e.text)
		meant := strings.TrimPrefix(sample.class, "way ")
		require.True(t, s.means(e.text, meant), "%s: %q is %q", name, e.text, meant)
	}
	slices.Sort(got)
	require.Equal(t, slices.Sorted(maps.Keys(want)), got, name)
}

// means reports whether the text of a legend matches a class.
func (s *sheet) means(says, class string) bool {
	return map[string]string{
		"a message that arrives": "arrived", "a message that arrives, doubled": "doubled", "a message that arrives once more after a restart": "repeated",
		"a message that arrives, forged": "forged", "a message that arrives where nobody is up": "unheard", "a message that is lost": "lost",
		"a message that is in flight at the end": "flight", "operation": "operation", "critical section": "section", "down": "down", "alarm": "alarm",
		"hold": "hold", "network cut in two": "cut", "rows of one instant; else heights are times": "instant", "a step that “why” speaks of": "told",
		"steps that repeat for ever": "loop",
	}[says] == class
}

// head checks the texts above the picture.
func (s *sheet) head(t *testing.T, name string) {
	var all []element
	for _, e := range s.all {
		if e.name == "text" && e.num("x") == 16 && e.num("y") < s.ys[0]-14 && e.class != "name" && e.class != "liar" {
			all = append(all, e)
		}
	}
	if s.d.Bare {
		require.Empty(t, all, name)
		return
	}
	want := []string{s.d.Title, s.d.Config}
	if s.d.Claim != "" {
		want = append(want, s.d.Claim+": "+s.d.Text)
	}
	want = append(want, s.d.Why...)
	var said []string
	for i, e := range all {
		require.InDelta(t, 32+22*float64(i), e.num("y"), .1, name)
		require.LessOrEqual(t, 7*float64(utf8.RuneCountInString(e.text)), s.wide-32, name)
		class := "soft"
		switch i {
		case 0:
			class = "title"
		case 2:
			class = "why"
		}
		require.Equal(t, class, e.class, name)
		said = append(said, e.text)
	}
	whole, is := strings.Fields(strings.Join(want, " ")), strings.Fields(strings.Join(said, " "))
	if !strings.Contains(strings.Join(is, ""), "…") {
		require.Equal(t, whole, is, name)
	}
	for _, e := range s.named("text", "name") {
		require.True(t, len(all) == 0 || e.num("y") > all[len(all)-1].num("y")+12, name)
	}
}

// Pictures of random diagrams show exactly their content.
func TestScattered(t *testing.T) {
	for seed := range uint64(200) {
		d := draw.Scattered(rand.New(rand.NewPCG(seed, 0)))
		read(t, fmt.Sprint(seed), d)
		apart(t, fmt.Sprint(seed), picture(t, d))
	}
}

// Strips together equal the picture.
func TestStripsAreTheWhole(t *testing.T) {
	type place struct {
		name, class, text, title string
		x, y                     int
	}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		d := draw.Scattered(rng)
		places := func(each int) map[place]bool {
			all, top := map[place]bool{}, 0.
			for s := range d.Strips(each) {
				marks, _, tall := elements(t, s.SVG)
				assert.InDelta(t, float64(s.Height), tall, 0, seed)
				for _, e := range marks {
					if e.name == "path" && !strings.Contains(e.class, "head") && !strings.HasPrefix(e.class, "vane") {
						continue // a line may begin elsewhere
					}
					x, y := e.num("x")+e.num("cx"), e.num("y")+e.num("cy")
					if e.name == "path" {
						x, y = e.points[0], e.points[1]
					}
					all[place{e.name, e.class, e.text, e.title, int(math.Round(x)), int(math.Round(y+top)) / 4}] = true
				}
				top += tall
			}
			return all
		}
		for i := range d.Rows { // with few words a separate picture has the same numbers
			d.Rows[i].What, d.Rows[i].Details = "does", nil
		}
		numbers := func(svgs ...string) (all []string) {
			for _, svg := range svgs {
				marks, _, _ := elements(t, svg)
				for _, e := range marks {
					if e.class == "soft right" {
						all = append(all, e.text)
					}
				}
			}
			return all
		}
		var strips []string
		for s := range d.Strips(2) {
			strips = append(strips, s.SVG)
		}
		require.Equal(t, numbers(picture(t, d)), numbers(strips...), seed)
		whole, parts := places(len(d.Rows)), places(1+rng.IntN(4))
		for _, both := range [][2]map[place]bool{{whole, parts}, {parts, whole}} {
			for k := range both[0] {
				near := both[1][k]
				for _, by := range []int{-1, 1} {
					o := k
					o.y += by
					near = near || both[1][o]
				}
				assert.True(t, near, "%d: %v", seed, k)
			}
		}
	}
}
