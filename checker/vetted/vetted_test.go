package vetted

import (
	"slices"
	"strings"
	"testing"
	"time"

	"contend/model"
)

// The packages of all checks are vetted, and those of the default configuration where a protocol lists none.
func TestPackagesOfProtocols(t *testing.T) {
	p := &model.Protocol{Name: "p", Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Nodes: []model.NodeSpec{{Name: "s", New: func() model.Node { return &strings.Builder{} }}}}
		if c.N == 7 {
			s.Nodes[0].New = func() model.Node { return &ours{} }
		}
		return s, nil
	}}
	for _, c := range []struct {
		checks []model.Check
		want   []string
	}{
		{nil, []string{"strings"}},
		{[]model.Check{{}}, []string{"strings"}},
		{[]model.Check{{Config: model.Config{N: 7}}}, nil}, // of this module
		{[]model.Check{{Config: model.Config{N: 7}}, {}}, []string{"strings"}},
	} {
		if p.Checks = c.checks; !slices.Equal(handlerPackages(p), c.want) {
			t.Errorf("%d checks: %q, want %q", len(c.checks), handlerPackages(p), c.want)
		}
	}
}

// ours is a node of this package.
type ours struct{}

// What did not run is an error with its reason, not a package without findings.
func TestNotVetted(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the go command")
	}
	const pkg = "contend/cmd/verify"
	later := time.Now().Add(time.Hour)
	for _, x := range []struct {
		name, pkg string
		deadline  time.Time
		path, why string
	}{
		{name: "no go command", pkg: pkg, path: "nowhere", deadline: later, why: "executable file not found"},
		{name: "no time", pkg: pkg, deadline: time.Now(), why: "time was nearly over"},
		{name: "no such package", pkg: "contend/nowhere", deadline: later, why: "exit status 1"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if x.path != "" {
				t.Setenv("PATH", x.path)
			}
			findings, err := runVet(x.pkg, x.deadline)
			if len(findings) > 0 || err == nil || !strings.Contains(err.Error(), x.why) {
				t.Errorf("found %q, error %v; the error should say %q", findings, err, x.why)
			}
		})
	}
}

// Output that was cut off, and an analyzer that failed, are errors.
func TestTold(t *testing.T) {
	for _, x := range []struct{ out, finding, why string }{
		{out: ``},
		{out: `{"p":{}}`},
		{out: `{"p":{"contend":[{"posn":"/here/a.go:1:2","message":"it reads a clock"}]}}`, finding: "a.go:1:2: it reads a clock"},
		{out: `{"p":{"contend":[{"posn":"/he`, why: "no JSON"},
		{out: `{"p":{"contend":{"error":"no types"}}}`, why: "the analyzer failed"},
	} {
		findings, err := parseFindings([]byte(x.out), "/here")
		if got := strings.Join(findings, "\n"); got != x.finding || (err == nil) != (x.why == "") || err != nil && !strings.Contains(err.Error(), x.why) {
			t.Errorf("%s: %q, %v", x.out, got, err)
		}
	}
}
