// Package kept stores the counterexamples of tests, as traces with a page each, and replays them.
package kept

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode"

	"contend/checker/explain"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// Root is the directory of stored counterexamples. Each subtest has a directory of its name.
var Root = filepath.Join("testdata", "contend")

// Dir returns the directory of a test, always below [Root].
func Dir(test string) string {
	return filepath.Join(Root, filepath.FromSlash(path.Clean("/"+test)))
}

// fileFor returns the file for a counterexample: the file to replace, the file of an earlier one with the
// same claim and configuration, or a new file.
func fileFor(dir string, tr *traces.Trace, replaces string) string {
	for n := 1; ; n++ {
		name := slugOf(tr.Claim)
		if n > 1 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		file := filepath.Join(dir, name+".json")
		old, err := traces.Load(file)
		if err != nil || file == replaces || old.Protocol == tr.Protocol && old.Variant == tr.Variant && old.Config.Model() == tr.Config.Model() && old.Claim == tr.Claim {
			return file
		}
	}
}

// slugOf converts a name to lower-case letters, digits and single dashes, at most 50 characters.
func slugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slug := []rune(strings.Join(words, "-"))
	return string(slug[:min(len(slug), 50)])
}

// Save stores a counterexample as soon as it is found. The next run of the test replays it first. Save
// returns the file, or "" if it cannot be written; [Keep] then reports why.
func Save(test string, tr *traces.Trace) string {
	file := fileFor(Dir(test), tr, "")
	if os.MkdirAll(filepath.Dir(file), 0o755) != nil || traces.Save(file, tr) != nil {
		return ""
	}
	return file
}

// Keep stores a counterexample, unless it is nil. The next run of the test replays it first. Keep returns a
// text with the run and the commands to see it again. The file early, unless "", is the one that [Save]
// wrote; Keep replaces it.
func Keep(test string, v *explain.Violation, early string) string {
	again := "search again: " + GoTest(test)
	if v == nil {
		return again
	}
	text, err := Text(v)
	if err != nil {
		text = fmt.Sprintf("the run does not replay: %v\n", err)
	}
	file := fileFor(Dir(test), v.Trace, early)
	err = os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = traces.Save(file, v.Stored())
	}
	if err != nil {
		return fmt.Sprintf("\n%s\nnot kept: %v\n%s", text, err, again)
	}
	if early != "" && early != file {
		_ = os.Remove(early)
	}
	return fmt.Sprintf("\n%s\nkept in %s%s\nreplayed first by: %s", text, file, writePage(v, file), GoTest(test))
}

// writePage writes the page of a counterexample beside its trace, and returns a line about it. It returns "" if
// the trace does not replay.
func writePage(v *explain.Violation, file string) string {
	picture, err := v.Picture()
	if err != nil {
		return ""
	}
	file = strings.TrimSuffix(file, ".json") + ".html"
	var b bytes.Buffer
	if err = picture.Page(&b); err == nil {
		err = os.WriteFile(file, b.Bytes(), 0o644)
	}
	if err != nil {
		return fmt.Sprintf("\nno page is kept: %v", err)
	}
	return "\nin a browser: " + file
}

// indented is the width of go test's indentation of a subtest's output, in columns.
const indented = 12

// Text returns the run of a counterexample and its explanation as text. The error is the reason why it is no run
// that breaks its claim.
func Text(v *explain.Violation) (string, error) {
	picture, err := v.Picture()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	err = picture.Text(&text, show.Style{Width: show.Width() - indented})
	return text.String(), err
}

// GoTest returns the command line for one test, for any directory of its module.
func GoTest(name string) string {
	pkg := "."
	if info, ok := debug.ReadBuildInfo(); ok {
		if p, ok := strings.CutSuffix(info.Path, ".test"); ok && p != "command-line-arguments" {
			pkg = p
		}
	}
	elements := strings.Split(name, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return fmt.Sprintf("go test %s -run %s", pkg, Quoted(strings.Join(elements, "/")))
}

// Quoted returns a word quoted for a shell.
func Quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Traces returns the traces in the wanted directories below [Root].
func Traces(t testing.TB, wanted func(dir string) bool) (files []string) {
	t.Helper()
	err := filepath.WalkDir(Root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(file) == ".json" && wanted(filepath.Dir(file)) {
			files = append(files, file)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

// Own replays the stored counterexamples of a test, and reports whether one still breaks its claim.
func Own(t testing.TB, p *model.Protocol) bool {
	t.Helper()
	own := Dir(t.Name())
	broken := false
	for _, file := range Traces(t, func(dir string) bool { return dir == own }) {
		broken = replayStored(t, p, file) || broken
	}
	if broken {
		t.Logf("searched again as soon as no kept run fails; replayed by: %s", GoTest(t.Name()))
	}
	return broken
}

// ReplayOthers replays the protocol's other stored counterexamples: those of removed tests, and those added by
// hand.
func ReplayOthers(t testing.TB, p *model.Protocol, tests []string) {
	t.Helper()
	for _, file := range Traces(t, func(dir string) bool {
		return !slices.ContainsFunc(tests, func(test string) bool { return dir == Dir(test) })
	}) {
		replayStored(t, p, file)
	}
}

// replayStored replays a stored trace of the protocol. It fails the test if the trace still breaks its claim,
// and reports whether it does. A trace that does not replay shows that the protocol has changed: it can be
// deleted. Only a search can decide whether a goal is unreachable from the end of a run.
func replayStored(t testing.TB, p *model.Protocol, file string) bool {
	t.Helper()
	tr, err := traces.Load(file)
	if err != nil {
		t.Error(err)
		return false
	}
	if tr.Protocol != p.Name {
		return false
	}
	text, err := Text(explain.New(p, tr))
	var diverged *replay.Divergence
	switch {
	case err == nil && needsSearch(p, tr):
		t.Logf("%s is a run that has not reached the goal of %s yet: only a search decides whether it can", file, tr.Claim)
	case err == nil:
		t.Errorf("%s still breaks %s: %s\n\n%s", file, tr.Claim, tr.Text, text)
		return true
	case errors.As(err, &diverged) && diverged.Step > len(tr.Steps):
		t.Logf("%s passes: it is a run that does not break %s any more", file, tr.Claim)
	case errors.As(err, &diverged):
		t.Logf("%s does not replay any more (%v): delete it when the bug it showed is gone", file, err)
	default:
		t.Errorf("%s: %v", file, err)
	}
	return false
}

// needsSearch reports whether a replay of the trace does not suffice to show the violation.
func needsSearch(p *model.Protocol, tr *traces.Trace) bool {
	c, err := p.Claim(tr.Claim)
	return err == nil && (c.Kind == model.PossibleFromEverywhere || c.Kind == model.AlmostSurely)
}
