package checker_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What of this repository each package of the module cluster may import. It is a module of its own: what a NATS server depends
// on is none of the root's.
var clusterRooms = map[string][]string{
	"cluster":          {"checker", "checker/verdict", "checker/verify", "checker/verify/...", "cluster/board", "cluster/campaign", "cluster/hub"},
	"cluster/board":    {"checker", "checker/verify/console", "checker/verify/tool", "cluster/campaign", "cluster/hub"},
	"cluster/campaign": {"checker", "checker/fuzzing", "checker/verdict", "checker/enlarge", "checker/search/decide", "lab/compare", "checker/sample", "checker/sample/strategy", "checker/verify/checking", "checker/verify/console", "checker/verify/tool", "checker/watch", "cluster/hub", "model", "traces", "traces/replay"},
	// Where processes meet knows nothing of what they do there.
	"cluster/hub":        {"checker/search/storage", "checker/verify/about"},
	"cluster/cmd/verify": {"checker/verify", "cluster", "impl", "impl/tables"},
}

// Imports of the module cluster go one way, too. Its files are read, not listed: that would take what it depends on.
func TestClusterRooms(t *testing.T) {
	met := map[string]bool{}
	err := fs.WalkDir(os.DirFS(".."), "cluster", func(p string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return err
		}
		room := path.Dir(p)
		met[room] = true
		f, err := parser.ParseFile(token.NewFileSet(), "../"+p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			ours, own := strings.CutPrefix(imported, "contend/")
			if err != nil || own && !slices.ContainsFunc(clusterRooms[room], func(r string) bool { return within(ours, r) }) {
				t.Errorf("%s imports %s, which room %s may not", p, imported, room)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for room := range clusterRooms {
		if !met[room] {
			t.Errorf("room %s has no package", room)
		}
	}
	for room := range met {
		if clusterRooms[room] == nil {
			t.Errorf("package %s is in no room of the house", room)
		}
	}
}

// The root's modules have none of a server's.
func TestRootHasNoServer(t *testing.T) {
	for _, name := range []string{"../go.mod", "../go.sum"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range []string{"nats-io", "k8s.io", "klauspost/compress"} {
			if strings.Contains(string(b), module) {
				t.Errorf("%s has %s", name, module)
			}
		}
	}
}
