package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/verdict"
	"contend/checker/verify/console"
)

// An overview prints a line for each protocol after its last row, and finally the findings of each protocol. Rows
// come protocol by protocol.
type overview struct {
	w      io.Writer
	width  int
	names  int // columns of the longest name
	colour bool
	rows   []*checker.Row // of the protocol that is being checked
	all    []*checker.Row
}

// The columns of an overview: for each, its head and its width.
var heads = []struct {
	name  string
	width int
}{{"HOLDS", 5}, {"FINDINGS", 8}, {"SAMPLED", 7}, {"OPEN", 4}, {"LARGEST SEARCH", 14}, {"SECONDS", 7}}

func newOverview(w io.Writer, jobs []*plan.Plan) *overview {
	o := &overview{w: w, width: console.Width(w), colour: console.Coloured(w), names: len("22 protocols")}
	for _, j := range jobs {
		o.names = max(o.names, utf8.RuneCountInString(j.Protocol.Name))
	}
	var cells []string
	for _, h := range heads {
		cells = append(cells, h.name)
	}
	o.line("PROTOCOL", cells, "")
	return o
}

func (o *overview) line(name string, cells []string, remark string) {
	fmt.Fprintf(o.w, "%s%s", name, strings.Repeat(" ", o.names-utf8.RuneCountInString(name)))
	for i, cell := range cells {
		fmt.Fprintf(o.w, "  %*s", heads[i].width, cell)
	}
	fmt.Fprintf(o.w, "%s\n", remark)
}

func (o *overview) row(row *checker.Row) {
	if len(o.rows) > 0 && o.rows[0].Protocol != row.Protocol {
		o.protocol()
	}
	o.rows, o.all = append(o.rows, row), append(o.all, row)
}

// protocol prints the line of the protocol whose rows are there.
func (o *overview) protocol() {
	if len(o.rows) > 0 {
		o.sum(o.rows[0].Protocol, o.rows)
		o.rows = nil
	}
}

// sum prints the sums of rows. Each finding counts once, in however many rows; the other columns count verdicts.
func (o *overview) sum(name string, rows []*checker.Row) {
	t := tallied(rows)
	var largest int64
	seconds, samples := 0.0, t.limits[sampledOut]
	for _, row := range rows {
		largest, seconds = max(largest, int64(row.States)), seconds+row.Seconds
	}
	remark := ""
	if n := t.counts[checker.Violated] - t.findings; n > 0 {
		remark = fmt.Sprintf("  %d violated", n)
		if o.colour {
			remark = "\x1b[31m" + remark + "\x1b[0m"
		}
	}
	o.line(name, []string{
		number(t.counts[checker.Holds]), number(len(known(rows))), number(samples),
		number(t.counts[checker.Inconclusive] - samples), number(int(largest)), fmt.Sprintf("%.1f", seconds),
	}, remark)
}

// number returns a number; "" for zero, so that the others stand out.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func (o *overview) end() {
	o.protocol()
	protocols := map[string]bool{}
	for _, row := range o.all {
		protocols[row.Protocol] = true
	}
	o.sum(console.Counted(len(protocols), "protocol", "protocols"), o.all)
}

func (o *overview) last(sum tally, more []string) error {
	o.findings()
	says := append(sum.open(), "A verdict is valid within the bounds of its row, and not beyond them.")
	if sum.searched {
		says = append(says, sum.omitted())
	}
	fmt.Fprintln(o.w)
	for _, sentence := range says {
		o.wrapped(sentence)
	}
	if len(more) > 0 {
		_, err := io.WriteString(o.w, lines(more))
		return err
	}
	return o.next()
}

func (o *overview) wrapped(sentence string) {
	console.Paragraph(o.w, "", strings.Fields(sentence), o.width)
}

// findings lists the claims that are known to be violated, by protocol.
func (o *overview) findings() {
	list := known(o.all)
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(o.w)
	o.wrapped("Findings: claims of a source that its protocol, as printed, violates")
	for len(list) > 0 {
		name := list[0].row.Protocol
		n := slices.IndexFunc(list, func(f finding) bool { return f.row.Protocol != name })
		if n < 0 {
			n = len(list)
		}
		o.claims(name, list[:n])
		list = list[n:]
	}
}

// claims prints the findings of one protocol in a line: claims with their options, as many as fit, and the number
// of the others.
func (o *overview) claims(protocol string, list []finding) {
	indent := strings.Repeat(" ", o.names+4)
	var texts []string
	for _, f := range list {
		text := f.claim.Name
		if f.row.Variant != "" {
			text += " (" + f.row.Variant + ")"
		}
		texts = append(texts, text)
	}
	line := strings.Join(texts, "; ")
	for shown := len(texts) - 1; shown > 0 && len(indent)+utf8.RuneCountInString(line) > o.width; shown-- {
		line = fmt.Sprintf("%s; and %d more", strings.Join(texts[:shown], "; "), len(texts)-shown)
	}
	lines := console.Wrapped(strings.Fields(line), o.width-len(indent))
	fmt.Fprintf(o.w, "  %s%s  %s\n", protocol, strings.Repeat(" ", o.names-utf8.RuneCountInString(protocol)), strings.Join(lines, "\n"+indent))
}

// next prints what the user can do next.
func (o *overview) next() error {
	file, protocol := "", "PROTOCOL"
	for _, f := range known(o.all) {
		if f.claim.Trace != "" {
			file, protocol = f.claim.Trace, f.row.Protocol
			break
		}
	}
	if file == "" && len(o.all) > 0 {
		protocol = o.all[0].Protocol
	}
	commands := [][2]string{{verdict.Tool + " check " + protocol, "its rows with their bounds (--rows: all rows)"}}
	if file != "" {
		commands = append(commands, [2]string{verdict.Tool + " show " + console.Quoted([]string{file}), "the run of a finding, explained"})
	}
	commands = append(commands, [2]string{verdict.Tool + " new mylock", "start your own protocol"})
	var b strings.Builder
	b.WriteString("\nNext\n")
	for _, c := range commands {
		line := fmt.Sprintf("  %-24s  %s", c[0], c[1])
		if utf8.RuneCountInString(line) > o.width {
			line = fmt.Sprintf("  %s\n      %s", c[0], c[1])
		}
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(o.w, b.String())
	return err
}
