package checker_test

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify"
	"contend/impl"
)

// tutorial is the page that TestTutorial follows.
const tutorial = "../docs/tutorial.md"

// A block is a fenced part of a page, with the text before it.
type block struct {
	before   string
	language string
	text     string
	from, to int // where its text is in the page
}

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

func blocksOf(page string) (all []block) {
	last := 0
	for _, m := range fence.FindAllStringSubmatchIndex(page, -1) {
		all = append(all, block{page[last:m[0]], page[m[2]:m[3]], page[m[4]:m[5]], m[4], m[5]})
		last = m[1]
	}
	return all
}

// A reader does in a module of his own what the page says.
type reader struct {
	*module
	file string // the one that is being written
}

// named is the last file that is named before a block, and whether more is added to it.
var named = regexp.MustCompile("(?s).*\\b(into|to|Change|is)\\s+`([^`]*\\.(?:go|md))`")

// follow does what a block says. It returns what the block should be.
func (r *reader) follow(b block) string {
	m := named.FindStringSubmatch(b.before)
	if m != nil {
		r.file = m[2]
	}
	switch b.language {
	case "go", "markdown":
		require.NotNil(r.t, m, "which file is this? %s", b.text)
		old := ""
		if m[1] == "to" {
			old = r.readOwn() + "\n"
		}
		r.write(r.file, old+b.text)
	case "diff":
		r.patch(b.text)
	case "console":
		return r.commands(b.text)
	}
	return b.text
}

func (r *reader) readOwn() string { return r.read(r.dir + "/" + r.file) }

// patch carries out a change at the one place where its context is.
func (r *reader) patch(diff string) {
	var from, to strings.Builder
	for line := range strings.Lines(diff) {
		if line[0] != '+' {
			from.WriteString(line[1:])
		}
		if line[0] != '-' {
			to.WriteString(line[1:])
		}
	}
	text := r.readOwn()
	require.Equal(r.t, 1, strings.Count(text, from.String()), "places in %s for:\n%s", r.file, diff)
	r.write(r.file, strings.Replace(text, from.String(), to.String(), 1))
}

// commands runs the commands of a block and returns it with what they print now.
func (r *reader) commands(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
		if !ok {
			continue
		}
		out.WriteString(line)
		if args, ok := strings.CutPrefix(command, "verify "); ok {
			var printed bytes.Buffer
			verify.Run(impl.Suite, strings.Fields(args), &printed, &printed)
			out.Write(printed.Bytes())
			continue
		}
		printed, _ := r.sh(command)
		out.WriteString(printed)
	}
	return undated(out.String())
}

var durations = regexp.MustCompile(`\b\d+\.\d+s\b|\(cached\)`)
var seconds = regexp.MustCompile(`\b\d+\.\d\b`)

var blanks = regexp.MustCompile(`(?m) +$`)

// undated leaves out how long things took, and blanks at the ends of lines.
func undated(text string) string {
	text = blanks.ReplaceAllString(text, "")
	return seconds.ReplaceAllString(durations.ReplaceAllString(text, "0.01s"), "0.0")
}

// The tutorial is true: its code, put together as it says, compiles; each of its commands prints
// what the page shows; and no file of it is left untidy. With -update the page shows what they print now.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	page, err := os.ReadFile(tutorial)
	require.NoError(t, err)
	path, err := os.Getwd()
	require.NoError(t, err)
	r := &reader{module: emptyModule(t, "example.org/tutorial")}
	t.Chdir(r.dir)
	update := flag.Lookup("update").Value.String() == "true"
	var now strings.Builder
	last := 0
	for _, b := range blocksOf(string(page)) {
		now.Write(page[last:b.from])
		is := r.follow(b)
		if !update {
			assert.Equal(t, b.text, is, "go test ./checker -run TestTutorial -update writes what the commands print now")
		}
		now.WriteString(is)
		last = b.to
	}
	now.Write(page[last:])
	t.Chdir(path)
	if update {
		require.NoError(t, os.WriteFile(tutorial, []byte(now.String()), 0o644))
	}
	untidy, ok := r.sh("gofmt -l . && go vet ./...")
	require.True(t, ok && untidy == "", untidy)
}
