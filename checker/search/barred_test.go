package search

import (
	"slices"
	"strings"
	"testing"

	"contend/model"
)

// A claim that bars a symmetry is told of in one note, where there are nodes to permute.
func TestSymmetryThatClaimsBar(t *testing.T) {
	three := picker(0, []model.NodeID{1, 2, 3})
	parted := picker(0, []model.NodeID{1, 2, 3})
	parted.Faults.Partitions = 1
	clients := system(client("c", scripted{}, "go"), client("d", scripted{}, "go"), server("s", scripted{}), server("t", scripted{}))
	single := system(client("c", scripted{}, "go"), server("s", scripted{}))
	both := Options{Symmetry: true, Clients: true}
	eventually := reach(model.Eventually, 3)
	for _, c := range []struct {
		name   string
		s      *model.System
		opt    Options
		claims []model.Claim
		want   string
	}{
		{"servers", three, both, []model.Claim{never(9), eventually},
			"symmetry of servers is off because of eventually: fairness may require the step that it removes; --claim searches the other claims with it"},
		{"servers and clients", clients, both, []model.Claim{eventually, never(9)},
			"symmetry of servers and clients is off because of eventually: fairness may require the step that it removes; --claim searches the other claims with it"},
		{"clients alone", clients, Options{Clients: true}, []model.Claim{eventually},
			"symmetry of clients is off because of eventually: fairness may require the step that it removes"},
		{"nothing is barred", three, both, []model.Claim{never(9)}, ""},
		{"not asked for", three, Options{}, []model.Claim{never(9), eventually}, ""},
		{"one of each", single, both, []model.Claim{never(9), eventually}, ""},
		{"barred by partitions too", parted, both, []model.Claim{never(9), eventually}, ""},
	} {
		notes := slices.DeleteFunc(explore(t, c.s, c.opt, c.claims...).Notes, func(n string) bool { return !strings.HasPrefix(n, "symmetry") })
		if got := strings.Join(notes, "\n"); got != c.want {
			t.Errorf("%s: notes\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
