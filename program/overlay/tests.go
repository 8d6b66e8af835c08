package overlay

import (
	_ "embed"
	"strings"
)

var (
	//go:embed hooks/testing.go.txt
	testingHook string
	//go:embed hooks/exec.go.txt
	execHook string
)

// tests edits the packages testing, os and os/exec. A test can start again, and the host learns what a body must
// not do.
func tests(o *release) {
	testing := o.open("testing/testing.go")
	testing.enter("func (c *common) Context() context.Context", "contendContext(c)")
	run := "func (t *T) Run(name string, f func(t *T)) bool"
	testing.change(run, "context.WithCancel(context.Background())", "contendNoContext()")
	testing.change(run, "t.tstate.match.fullName(&t.common, name)", "contendName(t.tstate.match, &t.common, name)")
	testing.enter("func (t *T) Parallel()", "contendParallel()")
	o.add(o.named("testing/contend"), o.refusing(testingHook))
	o.open("os/exec.go").enter("func StartProcess(name string, argv []string, attr *ProcAttr) (*Process, error)", "contendRuns(name)")
	o.open("os/exec/exec.go").enter("func (c *Cmd) Start() error", "contendRuns(c.Path)")
	for _, dir := range []string{"os", "os/exec"} {
		o.add(o.named(dir+"/contend"), strings.Replace(o.refusing(execHook), "PACKAGE", dir[strings.LastIndex(dir, "/")+1:], 1))
	}
}
