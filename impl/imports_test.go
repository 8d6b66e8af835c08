package impl_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The rooms of the house, and which of them each may import. A room is named by its
// path; the longest name that fits a package is its room.
var rooms = map[string][]string{
	"contend/model":                      {},
	"contend/model/quorum":               {},
	"contend/model/value":                {"contend/model"},
	"contend/model/world":                {"contend/model", "contend/model/value"},
	"contend/impl":                       {"contend/model", "contend/impl"},
	"contend/traces":                     {"contend/model"},
	"contend/checker/search":             {"contend/model", "contend/model/value", "contend/checker/zone", "contend/checker/search"}, // shares nothing with the interpreter
	"contend/checker/search/fingerprint": {},
	"contend/checker/search/visited":     {"contend/checker/search/fingerprint", "contend/checker/search/storage"},
	"contend/checker/search/frontier":    {"contend/checker/search/fingerprint", "contend/checker/search/storage"},
	"contend/checker/search/checkpoint":  {"contend/checker/search/storage"},
	"contend/checker/search/storage":     {},
	"contend/checker/zone":               {"contend/model"},
	"contend/checker":                    {"contend/model", "contend/traces", "contend/checker"},
	"contend/fuzz":                       {"contend/model", "contend/traces", "contend/checker", "contend/impl"},
	"contend/cmd":                        {"contend"},
}

// pure are the rooms that import nothing but the standard library and the model.
var pure = []string{"contend/model", "contend/impl"}

// timeless are the rooms in which no clock is read.
var timeless = []string{"contend/model", "contend/impl", "contend/traces"}

func TestImportDirections(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "contend/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		for _, imported := range fields[1:] {
			checkImport(t, fields[0], imported)
		}
	}
}

func checkImport(t *testing.T, pkg, imported string) {
	t.Helper()
	room := roomOf(pkg)
	if room == "" {
		t.Errorf("package %s is in no room of the house", pkg)
		return
	}
	switch {
	case strings.HasPrefix(imported, "contend/"):
		if roomOf(imported) != room && !within(imported, rooms[room]) {
			t.Errorf("%s imports %s, which %s may not", pkg, imported, room)
		}
	case strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
		if within(pkg, pure) {
			t.Errorf("%s imports %s, but may import only the standard library and the model", pkg, imported)
		}
	case imported == "time" && within(pkg, timeless):
		t.Errorf("%s imports time, but no clock is read there", pkg)
	case slices.Contains([]string{"math/rand", "math/rand/v2"}, imported) && within(pkg, timeless):
		t.Errorf("%s imports %s, but chance is the checker's", pkg, imported)
	}
}

func roomOf(pkg string) string {
	best := ""
	for room := range rooms {
		if within(pkg, []string{room}) && len(room) > len(best) {
			best = room
		}
	}
	return best
}

func within(pkg string, rooms []string) bool {
	return slices.ContainsFunc(rooms, func(room string) bool { return pkg == room || strings.HasPrefix(pkg, room+"/") })
}
