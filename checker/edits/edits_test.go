package edits

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the generated files of testdata anew")

// The generated files of all protocols are as they would be written, and all edits fit.
func TestProtocols(t *testing.T) {
	generated := 0
	err := filepath.WalkDir("../../impl", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if _, missing := os.Stat(filepath.Join(path, File)); missing == nil {
			generated++
		}
		if err := Check(path); err != nil {
			t.Error(err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if generated == 0 {
		t.Error("no protocol has a generated file")
	}
}

// unpacked puts the files of an archive into a directory of their own.
func unpacked(t *testing.T, a *txtar.Archive) (dir string) {
	dir = t.TempDir()
	for _, f := range a.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Each archive in testdata is a package with its generated file.
func TestWrite(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives:", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := unpacked(t, a)
			if err := Write(dir); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(dir, File))
			if err != nil {
				t.Fatal(err)
			}
			last := &a.Files[len(a.Files)-1]
			if *update {
				last.Data = text
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(last.Data), string(text)); diff != "" {
				t.Error("-want +got:\n", diff)
			}
			if err := Check(dir); err != nil {
				t.Error("what is just written is stale:", err)
			}
		})
	}
}

// A page with a node that sends in two methods, and a type that is no node.
const small = `package small

import "contend/model"

type Process struct{ Sent int }

func (p *Process) Receive(env model.Env, from model.NodeID, m any) {
	if p.Sent == 0 { // at first
		p.Sent++
		env.Send(from, m)
	}
	p.again(env, from)
}

func (p *Process) again(env model.Env, to model.NodeID) { env.Send(to, p.Sent) }

type Monitor struct{ Seen int }

func (m *Monitor) Observe(w model.Watch, o model.Observation) { m.Seen++ }
`

func TestFit(t *testing.T) {
	for _, c := range []struct {
		name, edit string
		want       string // a part of the generated file, or of the error
	}{
		{"a text", "`p.Sent++`, `p.Sent += 2`", "p.Sent += 2"},
		{"over lines and a comment", "`if p.Sent == 0 { p.Sent++; env.Send(from, m) }`, `env.Send(from, m)`", "\t\tenv.Send(from, m)\n\t\tp.again"},
		{"two texts", "`p.Sent++`, ``, `p.again(env, from)`, `p.again(env, from); p.again(env, from)`", "p.again(env, from)\n\t\tp.again(env, from)\n\tdefault:"},
		{"part of a name is no match", "`p.Sen`, `p.Q`", `occurs 0 times: "p.Sen"`},
		{"twice", "`env.Send`, `env.Note`", "occurs 2 times"},
		{"longer, and so once", "`env.Send(to`, `env.Note(to`", "env.Note(to, p.Sent)"},
		{"not in a monitor", "`m.Seen++`, ``", "occurs 0 times"},
		{"not outside of methods", "`Sent int`, `Sent int64`", "occurs 0 times"},
		{"overlapping", "`p.Sent++; env.Send(from, m)`, ``, `env.Send(from, m)`, ``", "two old texts overlap"},
		{"no pair", "`p.Sent++`", "must have pairs"},
		{"no literal", "old, `p.Sent--`", "must be string literals"},
		{"empty", "``, `p.Sent--`", "the old text is empty"},
		{"does not parse", "`p.Sent++`, `p.Sent++ }`", "do not compile"},
		{"no Go", "`p.Sent++'`, ``", "is not Go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := unpacked(t, txtar.Parse([]byte("-- small.go --\n"+small+
				"-- variants.go --\npackage small\n\nconst old = `p.Sent++`\n\nvar v = model.Variant{Name: \"v\", Edit: page.Edit("+c.edit+")}\n")))
			got, err := generate(dir)
			text := string(got)
			if err != nil {
				text = err.Error()
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("%q is not in:\n%s", c.want, text)
			}
		})
	}
}

// All that is wrong is reported at once, each with its place and its variant.
func TestAllErrors(t *testing.T) {
	dir := unpacked(t, txtar.Parse([]byte("-- small.go --\n"+small+`-- variants.go --
package small

var variants = []model.Variant{
	{Name: "first", Edit: page.Edit("p.Nothing", "")},
	named("second", page.Edit("env.Send", "")),
}
`)))
	_, err := generate(dir)
	for _, want := range []string{"variants.go:4: first: the old text must occur once", "variants.go:5: second: the old text must occur once"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

// A function that is handed the node would call the methods of the page.
func TestHandsOver(t *testing.T) {
	dir := unpacked(t, txtar.Parse([]byte("-- small.go --\n"+small+`
func (p *Process) Invoke(env model.Env, op any) { send(p, env) }
-- variants.go --
package small

var v = model.Variant{Name: "v", Edit: page.Edit("p.Sent++", "")}
`)))
	if _, err := generate(dir); err == nil || !strings.Contains(err.Error(), "Process.Invoke hands over its receiver p") {
		t.Error(err)
	}
}

// A node that embeds one that is not exported has no state.
func TestNotExported(t *testing.T) {
	dir := unpacked(t, txtar.Parse([]byte("-- small.go --\n"+strings.ReplaceAll(small, "Process", "process")+`-- variants.go --
package small

var v = model.Variant{Name: "v", Edit: page.Edit("p.Sent++", "")}
`)))
	if _, err := generate(dir); err == nil || !strings.Contains(err.Error(), "process must be exported") {
		t.Error(err)
	}
}

// A change of the page or of an edit makes the generated file stale, and so does the last edit's end.
func TestStale(t *testing.T) {
	const variants = "package small\n\nvar v = model.Variant{Name: \"v\", Edit: page.Edit(`p.Sent++`, ``)}\n"
	for _, c := range []struct{ name, page, variants string }{
		{"the page", strings.Replace(small, "p.again(env, from)\n", "\n", 1), variants},
		{"the edit", small, strings.Replace(variants, "``", "`p.Sent--`", 1)},
		{"no edit", small, "package small\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := unpacked(t, txtar.Parse([]byte("-- small.go --\n"+small+"-- variants.go --\n"+variants)))
			if err := Check(dir); err == nil {
				t.Error("a file that is missing is not stale")
			}
			if err := Write(dir); err != nil {
				t.Fatal(err)
			}
			if err := Check(dir); err != nil {
				t.Error(err)
			}
			for name, text := range map[string]string{"small.go": c.page, "variants.go": c.variants} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := Check(dir); err == nil || !strings.Contains(err.Error(), "run go generate") {
				t.Errorf("a stale file: %v", err)
			}
		})
	}
}
