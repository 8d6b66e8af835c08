package main

import (
	"bytes"
	"flag"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify"
	"contend/impl"
)

// followed has the pages that TestPages follows, each in a separate module.
var followed = map[string]string{
	"../../docs/tutorial.md": "example.org/tutorial",
	"../../docs/cookbook.md": "example.org/cookbook",
	"../../README.md":        "example.org/locks",
}

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

// A reader follows the instructions of a page in a separate module.
type reader struct {
	*module
	file string // the file that is being written
}

// named matches the last file that is named before a block, and whether the block is added to the file.
var named = regexp.MustCompile("(?s).*\\b(into|to|Change|is)\\s+`([^`]*\\.(?:go|md))`")

// follow does what a block says, once the module is tidy if the text before says so. It returns what the block should be.
func (r *reader) follow(b block) string {
	if strings.Contains(b.before, "`go mod tidy`") {
		r.tidy()
	}
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
		if now := r.commands(b.text); !abridges(b.text, now) {
			return now
		}
	}
	return b.text
}

// abridges reports whether a text is another one in which lines are left out where it has a line of
// three dots.
func abridges(text, whole string) bool {
	parts := strings.Split(text, "    ...\n")
	for i, part := range parts {
		at := strings.Index(whole, part)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		whole = whole[at+len(part):]
	}
	return whole == "" || parts[len(parts)-1] == ""
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

// The tutorial and the README are true: their code, put together as they say, compiles; each of their commands prints
// what the page shows; and no file is left untidy. Only with -full, since this compiles modules. With -update the pages show what they print now.
func TestPages(t *testing.T) {
	if !*full {
		t.Skip("compiles modules")
	}
	for page, module := range followed {
		t.Run(path.Base(page), func(t *testing.T) { followPage(t, page, module) })
	}
}

func TestAbridges(t *testing.T) {
	whole := "$ it\n  a\n  b\n  c\n"
	for text, want := range map[string]bool{
		whole: true, "$ it\n  a\n    ...\n  c\n": true, "$ it\n    ...\n": true,
		"$ it\n  b\n": false, "$ it\n  c\n    ...\n  a\n": false, "$ it\n    ...\n  b\n": false, "  a\n    ...\n": false,
	} {
		assert.Equal(t, want, abridges(text, whole), text)
	}
}

func followPage(t *testing.T, file, module string) {
	file, err := filepath.Abs(file)
	require.NoError(t, err)
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	r := &reader{module: emptyModule(t, module)}
	t.Chdir(r.dir)
	update := flag.Lookup("update").Value.String() == "true"
	var now strings.Builder
	last := 0
	for _, b := range blocksOf(string(page)) {
		now.Write(page[last:b.from])
		is := r.follow(b)
		if !update {
			assert.Equal(t, b.text, is, "go test ./cmd/verify -run TestPages -update writes what the commands print now")
		}
		now.WriteString(is)
		last = b.to
	}
	now.Write(page[last:])
	if update {
		require.NoError(t, os.WriteFile(file, []byte(now.String()), 0o644))
	}
	untidy, ok := r.sh("gofmt -l . && go vet ./...")
	require.True(t, ok && untidy == "", untidy)
}
