package checker_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The rooms of the house, and what of this module each may import. A name that ends in /...
// stands for all below it as well; every other is one package. A package of its own has to
// be entered here.
var rooms = map[string][]string{
	"model":               {"model/internal/same"},
	"model/internal/same": {},
	"model/quorum":        {},
	"model/claims":        {"model"},
	"model/costs":         {"model"},
	"model/guard":         {"model", "model/rules"},
	"model/printed":       {"model"},
	"model/rules":         {"model"},
	"model/variant":       {"model"},
	"model/shape":         {"model"},
	"model/describe":      {"model", "model/guard", "model/shape"},
	"model/purity":        {"model", "model/shape"},
	"model/value":         {"model", "model/describe", "model/guard", "model/purity", "model/shape"},
	"model/wrapped":       {"model", "model/value"},
	"model/world":         {"model", "model/describe", "model/guard", "model/purity", "model/rules", "model/value", "model/wrapped"},
	"model/foreign":       {"model", "model/describe", "model/foreign/...", "model/guard", "model/value", "model/wrapped"},
	"model/foreign/dump":  {"model"},
	"model/foreign/reach": {"model/foreign/dump"},
	"model/foreign/diff":  {"model", "model/describe", "model/foreign/dump", "model/foreign/reach", "model/wrapped"},
	"model/disk":          {},
	"impl/...":            {"model", "model/claims", "model/costs", "model/printed", "model/quorum", "model/variant", "impl/..."},
	"traces":              {"model/..."},
	"traces/internal/toy": {"impl/backoff", "model", "model/world", "traces"},
	"traces/replay":       {"model", "model/describe", "model/guard", "model/value", "model/world", "model/wrapped", "traces"},
	"traces/honest":       {"model", "model/describe", "model/value", "model/world", "traces/replay"},
	"traces/show":         {"model", "model/describe", "model/world", "model/wrapped", "traces", "traces/honest", "traces/replay"},
	"traces/walk":         {"model", "model/world", "traces", "traces/replay", "traces/show"},
	"traces/draw":         {"model", "model/describe", "model/world", "traces", "traces/honest", "traces/replay", "traces/show"},
	"traces/why": {"model", "model/describe", "model/guard", "model/value", "model/world", "model/wrapped", "traces", "traces/draw", "traces/replay",
		"traces/show"},
	"traces/page":              {"model", "model/describe", "model/world", "traces", "traces/draw", "traces/replay", "traces/why"},
	"traces/picture":           {"model", "model/wrapped", "traces", "traces/draw", "traces/page", "traces/replay", "traces/show", "traces/why"},
	"traces/export":            {"model", "model/world", "traces", "traces/draw", "traces/picture", "traces/replay", "traces/show"},
	"fuzz":                     {"model/...", "impl/...", "traces", "checker/..."},
	"cmd/verify":               {"impl", "impl/tables", "checker/verify"},
	"cmd/rename":               {},
	"checker/judge":            {"checker/refine", "model/..."},
	"checker/refine":           {"model", "model/describe", "model/value", "model/world"},
	"checker/suite":            {"checker/search", "checker/search/runs", "checker/search/statespace", "model", "model/guard", "model/value", "model/world", "traces"},
	"checker/drive":            {"checker/conform", "checker/kept", "checker/suite", "model", "model/describe", "model/value", "model/world", "traces"},
	"checker/live":             {"checker/conform", "checker/judge", "checker/measure/chart", "checker/measure/simulate", "model", "model/describe", "model/guard", "model/value", "model/world", "traces"},
	"checker/conform":          {"checker/judge", "model", "model/describe", "model/value", "model/world", "traces"},
	"checker/conform/mapping":  {},
	"checker/conform/tail":     {},
	"checker/conform/coverage": {"checker/conform", "model", "model/world"},

	// The search shares nothing with the interpreter, model/world, which confirms what it finds.
	"checker/heap":                  {},
	"checker/zone":                  {"model"},
	"checker/search/fingerprint":    {},
	"checker/search/memo":           {},
	"checker/search/reduce":         {},
	"checker/search/liveness":       {},
	"checker/search/storage":        {},
	"checker/search/storage/faulty": {"checker/search/storage"},
	"checker/search/decide":         {"model"},
	"checker/search/arena":          {},
	"checker/search/visited":        {"checker/search/arena", "checker/search/fingerprint", "checker/search/storage"},
	"checker/search/frontier":       {"checker/search/fingerprint", "checker/search/storage"},
	"checker/search/checkpoint":     {"checker/search/storage"},
	"checker/search/classes":        {"checker/search/fingerprint", "checker/zone"},
	"checker/search/component": {"checker/search/fingerprint", "checker/zone", "model", "model/describe", "model/guard", "model/purity", "model/rules",
		"model/value", "model/wrapped"},
	"checker/search/step": {"checker/search/component", "checker/search/fingerprint", "checker/search/liveness", "checker/search/memo",
		"checker/search/reduce", "checker/zone", "model", "model/guard", "model/purity"},
	"checker/search/absorb": {"checker/search/component", "checker/search/fingerprint", "checker/search/memo",
		"checker/search/step", "model", "model/value"},
	"checker/search/symmetry": {"checker/search/component", "checker/search/fingerprint", "checker/search/memo",
		"checker/search/step", "model", "model/value"},
	"checker/search/doubt":   {"checker/search/component", "checker/search/step", "model/value"},
	"checker/search/profile": {"checker/search/component", "checker/search/step", "model", "model/describe", "model/shape", "model/wrapped"},
	"checker/search/runs": {"checker/search/classes", "checker/search/component", "checker/search/fingerprint", "checker/search/step",
		"checker/search/symmetry", "checker/zone", "model", "model/value"},
	"checker/search/invariants": {"checker/search/component", "checker/search/memo", "checker/search/step", "checker/search/symmetry",
		"model", "model/guard"},
	"checker/search/graph": {"checker/search/decide", "checker/search/fingerprint", "checker/search/invariants", "checker/search/liveness",
		"checker/search/runs", "checker/search/step", "checker/search/visited", "model"},
	"checker/search/statespace": {"checker/search/fingerprint", "checker/search/graph", "checker/search/invariants", "checker/search/runs",
		"checker/search/step", "model"},
	"checker/search/suspect": {"checker/search/fingerprint", "checker/search/step"},
	"checker/search/called":  {"checker/search/step", "model", "model/wrapped"},
	"checker/search": {"checker/heap", "checker/search/...", "checker/zone", "model", "model/describe", "model/guard", "model/value",
		"model/wrapped"},

	"checker/confirm":          {"checker/search", "checker/search/runs", "model/..."},
	"checker/sample":           {"checker/heap", "checker/sample/...", "checker/search/runs", "model/..."},
	"checker/sample/adversary": {"model", "model/value", "model/world"},
	"checker/sample/stepper":   {"checker/sample/strategy", "checker/search/...", "model", "model/guard", "model/value", "model/world"},
	"checker/sample/strategy":  {"model"},
	"checker/exemplar":         {"model", "model/describe", "model/world"},
	"checker/minimize": {"checker/judge", "model", "model/describe", "model/guard", "model/value", "model/world", "traces", "traces/honest",
		"traces/replay"},
	"checker/space": {"checker/search/runs", "checker/search/statespace", "checker/search/step", "model", "model/describe"},

	"checker/explain": {"checker/judge", "model", "traces", "traces/picture", "traces/replay", "traces/why"},

	// A check, from its rows up to what users call.
	"checker/verdict": {"checker/explain", "checker/merging", "checker/minimize", "checker/plan", "checker/record", "checker/sample/strategy", "checker/search",
		"checker/search/decide", "checker/watch", "model", "model/wrapped", "traces"},
	"checker/exhaustive": {"checker/explain", "checker/confirm", "checker/judge", "checker/kept", "checker/merging", "checker/minimize", "checker/plan", "checker/search",
		"checker/search/checkpoint", "checker/search/decide", "checker/search/runs", "checker/search/storage", "checker/space", "checker/verdict",
		"checker/watch", "model", "model/value", "model/world", "model/wrapped", "traces", "traces/replay"},
	"checker/sampling": {"checker/judge", "checker/plan", "checker/sample", "checker/search/decide", "checker/verdict", "checker/watch", "model"},
	"checker/shrink": {"checker/exhaustive", "checker/judge", "checker/minimize", "checker/plan", "checker/record", "checker/sample",
		"checker/sample/strategy", "checker/sampling", "checker/verdict", "checker/watch", "model", "model/wrapped", "traces"},
	"checker/sampled": {"checker/explain", "checker/exemplar", "checker/judge", "checker/minimize", "checker/plan", "checker/sample", "checker/sample/strategy",
		"checker/sampling", "checker/search/decide", "checker/search/runs", "checker/shrink", "checker/verdict", "checker/watch", "model",
		"model/world", "traces", "traces/replay"},
	"checker/check": {"checker/exhaustive", "checker/plan", "checker/sample", "checker/sampled", "checker/sampling", "checker/search",
		"checker/search/decide", "checker/verdict", "model"},
	"checker/fuzzing": {"model/wrapped", "checker/explain", "checker/enlarge", "checker/gofuzz", "checker/judge", "checker/kept", "checker/minimize", "checker/plan", "checker/record",
		"checker/sample", "checker/shrink", "checker/verdict", "checker/watch", "model", "model/guard", "model/value", "model/world", "traces"},
	"checker/gotest": {"checker/check", "checker/fuzzing", "checker/kept", "checker/plan", "checker/sample", "checker/search", "checker/verdict",
		"checker/vetted", "model"},
	"checker": {"checker/conform", "checker/drive", "checker/check", "checker/exemplar", "checker/exhaustive", "checker/fuzzing", "checker/gotest", "checker/minimize",
		"checker/sampled", "checker/shrink", "checker/verdict", "model", "traces"},

	"checker/enlarge": {"checker/sample", "model"},
	"checker/merging": {"checker/sample", "model", "model/guard", "model/value", "model/world", "model/wrapped"},
	"checker/plan":    {"checker/search/decide", "model", "model/value", "model/wrapped"},
	"checker/record":  {"checker/judge", "model", "traces", "traces/replay"},
	"checker/watch":   {"model", "model/guard"},
	"checker/gofuzz":  {"model", "model/world"},
	"checker/kept":    {"checker/explain", "model", "traces", "traces/replay", "traces/show"},
	"checker/vetted":  {"model"},
	"checker/corpus":  {"checker", "checker/sample", "model", "traces"},

	// Only test files import it: see TestToolLinksNoTestLibraries.
	"checker/repeat":     {"checker/sample", "model"},
	"checker/rapidcheck": {"checker", "checker/kept", "checker/sample", "model/..."},

	// A module of its own: programs and goroutines as they are, run as WebAssembly by host and machine.
	"program":        {"model", "model/disk", "model/foreign", "model/wrapped", "program/..."},
	"program/wire":   {},
	"program/build":  {"program/overlay"},
	"program/guest":  {"model/disk"},
	"program/host":   {"model/disk", "program/guest", "program/wasm"},
	"program/native": {"model/disk", "program/guest", "program/overlay", "program/wire"},
	// It keeps and restores what instances of WebAssembly modules are.
	"program/wasm": {},
	"program/sim":  {"program/wire"},
	// It edits the standard library for programs whose goroutines the host schedules.
	"program/overlay":             {},
	"program/concurrent":          {"checker/judge", "model", "program/concurrent/machine", "program/concurrent/schedule", "program/overlay"},
	"program/concurrent/litmus":   {},
	"program/concurrent/machine":  {"program/build", "program/concurrent/schedule", "program/guest", "program/native", "program/overlay", "program/wasm"},
	"program/concurrent/schedule": {"program/overlay"},

	// What handlers may not do is found in their source, apart from all that runs them.
	"checker/vet":     {"model"},
	"cmd/contend-vet": {"checker/vet"},

	// It reads the source of a protocol, too, and writes the nodes of its variants.
	"checker/edits":     {"model", "model/variant"},
	"cmd/contend-edits": {"checker/edits"},

	// What edits there are of a program, and whether anything notices them.
	"checker/mutate":          {"checker", "checker/verdict", "checker/mutate/...", "model"},
	"checker/mutate/schemata": {},
	"checker/mutate/driver":   {"checker", "checker/verdict", "model"},

	"checker/measure":           {"checker/measure/...", "model/..."},
	"checker/measure/chart":     {},
	"checker/measure/simulate":  {"model/..."},
	"checker/verify/starter":    {"model"},
	"checker/verify/glossary":   {},
	"checker/verify/flags":      {"checker", "checker/exhaustive", "checker/plan", "checker/sample/strategy", "model"},
	"checker/plant":             {},
	"checker/plant/trial":       {"checker/plant"},
	"checker/explore":           {"checker", "checker/explain", "checker/explore/...", "checker/judge", "model/...", "traces", "traces/draw", "traces/replay", "traces/show", "traces/walk"},
	"checker/explore/predicate": {"model", "model/describe", "model/shape"},

	// What serves the makers. Brute force shares nothing with the search that it is compared with.
	"lab/reading": {},
	"lab/self":    {"checker/mutate"},
	"lab/planted": {"checker", "checker/mutate/driver", "checker/plant"},
	"lab/oracle":  {"model/..."},
	"lab/disks":   {"model/disk"},
	"lab/random":  {"model", "model/costs"},
	"lab/compare": {"checker", "checker/search", "lab/random", "lab/oracle", "lab/disks", "model/..."},
	"lab/experiment": {"checker", "checker/verdict", "checker/judge", "checker/plan", "checker/watch", "checker/measure/chart", "checker/sample",
		"checker/sample/strategy", "model", "model/guard", "model/world"},
	"lab/tables": {"checker", "checker/search/decide", "model", "model/printed", "traces"},

	// The command line: what verbs share, the verbs, and on top what joins them.
	"checker/verify/console":   {"checker", "traces", "traces/show"},
	"checker/verify/report":    {"checker", "traces/show", "checker/explain", "checker/verdict", "checker/check", "checker/plan", "checker/sample", "checker/search/decide", "checker/verify/console", "checker/verify/flags", "model", "traces/picture"},
	"checker/verify/tool":      {"checker", "checker/verdict", "checker/fuzzing", "checker/plan", "checker/judge", "checker/verify/console", "checker/verify/flags", "model", "model/printed", "traces", "traces/picture", "traces/show"},
	"checker/verify/about":     {"checker/verdict", "lab/compare", "checker/sample/adversary", "checker/search/decide", "checker/verify/console", "checker/verify/flags", "checker/verify/glossary", "checker/verify/starter", "checker/verify/tool", "model", "checker"},
	"checker/verify/editing":   {"checker/verdict", "checker/mutate", "checker/plant", "checker/verify/console", "checker/verify/flags", "checker/verify/tool", "checker"},
	"checker/verify/measuring": {"checker", "checker/verdict", "checker/measure/...", "checker/verify/console", "checker/verify/flags", "checker/verify/tool", "model"},
	"checker/verify/table":     {"checker", "checker/verdict", "lab/tables", "checker/verify/console", "checker/verify/flags", "checker/verify/tool", "model", "model/printed"},
	"checker/verify/viewing": {"checker", "checker/verdict", "checker/plan", "checker/watch", "checker/corpus", "checker/explore", "checker/judge", "checker/verify/console", "checker/verify/flags", "checker/verify/tool",
		"model", "traces", "traces/draw", "traces/export", "traces/page", "traces/replay", "traces/show", "traces/walk", "traces/why", "traces/picture"},
	"checker/verify/driving":    {"checker/drive", "checker/suite", "checker/verdict", "checker/verify/console", "checker/verify/flags", "checker/verify/tool", "checker/watch", "model", "traces"},
	"checker/verify/validating": {"checker/conform", "checker/conform/coverage", "checker/conform/mapping", "checker/conform/tail", "checker/judge", "checker/verdict", "checker/verify/console", "checker/verify/flags", "checker/verify/tool", "checker/watch", "model", "traces"},
	"checker/verify/living":     {"checker/conform", "checker/live", "checker/verdict", "checker/verify/console", "checker/verify/flags", "checker/verify/tool", "checker/verify/validating", "model", "traces"},
	"checker/verify/abreast":    {"checker", "checker/check", "checker/plan", "checker/search", "checker/verify/flags", "checker/verify/report", "checker/verify/tool"},
	"checker/verify/minimizing": {"checker", "traces/picture", "checker/explain", "checker/verdict", "checker/minimize", "checker/verify/console", "checker/verify/flags", "checker/verify/tool", "model",
		"model/world", "traces", "traces/page", "traces/replay", "traces/walk"},
	"checker/verify/mutants": {"checker", "checker/verdict", "checker/exhaustive", "checker/plan", "lab/experiment", "checker/sample/strategy", "checker/verify/abreast", "checker/verify/console",
		"checker/verify/flags", "checker/verify/report", "checker/verify/tool", "checker/watch", "model"},
	"checker/verify/checking": {"checker", "checker/verdict", "checker/exhaustive", "checker/plan", "checker/exemplar", "checker/sample/adversary", "checker/sample/strategy", "checker/verify/abreast",
		"checker/verify/console", "checker/verify/flags", "checker/verify/mutants", "checker/verify/report", "checker/verify/tool",
		"checker/verify/viewing", "model", "traces", "traces/replay", "traces/show"},
	"checker/verify": {"checker/heap", "checker", "checker/verdict", "checker/exhaustive", "checker/watch", "checker/sample/adversary", "checker/verify/...", "model", "model/printed"},
}

// pure are the rooms that import nothing but the standard library and this module.
var pure = []string{"model/...", "impl/..."}

// timeless are the rooms in which no clock is read and nothing is drawn.
var timeless = []string{"model/...", "impl/...", "traces", "traces/replay", "traces/honest", "traces/show", "traces/walk", "traces/draw", "traces/why", "traces/page", "traces/picture", "traces/export"}

// Imports go one way, as docs/architecture.md draws them.
func TestRooms(t *testing.T) {
	met := map[string]bool{}
	for _, line := range append(imports(t, ".."), imports(t, "../program")...) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], "contend/")
		room := roomOf(pkg)
		if room == "" {
			t.Errorf("package %s is in no room of the house", pkg)
		}
		met[room] = true
		for _, imported := range fields[1:] {
			checkImport(t, pkg, room, imported)
		}
	}
	for room := range rooms {
		if !met[room] {
			t.Errorf("room %s has no package", room)
		}
	}
}

// imports lists the packages of a module, each with what it imports, in a line.
func imports(t *testing.T, dir string) []string {
	t.Helper()
	c := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// rapid adds its flags to whatever it is part of, so it is part of tests only; as are
// the other libraries that they use.
func TestToolLinksNoTestLibraries(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "contend/cmd/verify").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, library := range []string{"pgregory.net/rapid", "github.com/stretchr/testify", "golang.org/x/tools"} {
		if strings.Contains(string(out), library) {
			t.Errorf("cmd/verify links %s", library)
		}
	}
	if !strings.Contains(string(out), "contend/checker/verify\n") {
		t.Errorf("cmd/verify links %s", out)
	}
}

func checkImport(t *testing.T, pkg, room, imported string) {
	t.Helper()
	ours, own := strings.CutPrefix(imported, "contend/")
	switch {
	case own && !slices.ContainsFunc(rooms[room], func(r string) bool { return within(ours, r) }):
		t.Errorf("%s imports %s, which room %s may not", pkg, ours, room)
	case !own && strings.Contains(strings.SplitN(imported, "/", 2)[0], ".") && isIn(pkg, pure):
		t.Errorf("%s imports %s, but may import only the standard library and this module", pkg, imported)
	case imported == "time" && isIn(pkg, timeless):
		t.Errorf("%s imports time, but no clock is read there", pkg)
	case (imported == "math/rand" || imported == "math/rand/v2") && isIn(pkg, timeless):
		t.Errorf("%s imports %s, but chance is the checker's", pkg, imported)
	}
}

// roomOf returns the room of a package, or nothing.
func roomOf(pkg string) string {
	for room := range rooms {
		if within(pkg, room) {
			return room
		}
	}
	return ""
}

func within(pkg, room string) bool {
	all, below := strings.CutSuffix(room, "/...")
	return pkg == all || below && strings.HasPrefix(pkg, all+"/")
}

func isIn(pkg string, rooms []string) bool {
	return slices.ContainsFunc(rooms, func(room string) bool { return within(pkg, room) })
}

// The page names every room.
func TestRoomsAreOnTheMap(t *testing.T) {
	b, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for room := range rooms {
		name := path.Base(strings.TrimSuffix(room, "/..."))
		if !regexp.MustCompile(`\b` + name + `\b`).Match(b) {
			t.Errorf("the page does not name room %s", room)
		}
	}
}

// What the pages about rooms name is there: each path between backticks is the end of the path
// of a file or a directory, and each link leads to one.
func TestRoomsAreWhereTheMapSays(t *testing.T) {
	paths := everyPath(t)
	for _, name := range []string{"../docs/architecture.md", "../docs/proofs/search.md", "../docs/README.md"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`([^` ]*(?:/[^` ]*|\\.(?:go|md)))`").FindAllSubmatch(b, -1) {
			end := "/" + strings.TrimSuffix(string(m[1]), "/")
			if !slices.ContainsFunc(paths, func(p string) bool { return strings.HasSuffix(p, end) }) {
				t.Errorf("%s: %s is nowhere", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`).FindAllSubmatch(b, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), string(m[1]))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The guide to the pages names each of them.
func TestGuideNamesEveryPage(t *testing.T) {
	b, err := os.ReadFile("../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, p := range everyPath(t) {
		page, ok := strings.CutPrefix(p, "/docs/")
		if !ok || path.Ext(page) != ".md" || page == "README.md" {
			continue
		}
		pages++
		if !strings.Contains(string(b), "("+page+")") {
			t.Errorf("docs/README.md does not link %s", page)
		}
	}
	if pages < 5 {
		t.Errorf("there are %d pages", pages)
	}
}

// everyPath lists the files and directories of the repository, each from its top with a
// slash before it.
func everyPath(t *testing.T) []string {
	t.Helper()
	var all []string
	err := fs.WalkDir(os.DirFS(".."), ".", func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && p != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		all = append(all, "/"+p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
