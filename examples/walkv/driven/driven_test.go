package driven

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/drive"
	"contend/model"
)

// The server, an ordinary process that is killed, agrees with the page. With a mistake after a restart it differs, and so
// does a program that does not start.
func Test(t *testing.T) {
	program := filepath.Join(t.TempDir(), "kvd")
	out, err := exec.Command("go", "build", "-o", program, "contend/examples/walkv/kvd").CombinedOutput()
	require.NoError(t, err, string(out))
	c := model.Config{Faults: model.Faults{Restarts: 1}}.With(Calls.Is(1))
	checker.Drive(t, Page, c, Kvd(t.TempDir(), program))
	for flag, want := range map[string]string{
		"-mistake=first-unread": "is \"\" in the implementation, and ",
		"-no-flag":              "the implementation cannot take the step: the server ends: exit status 1: flag provided but not defined: -no-flag",
	} {
		r, err := drive.Drive(Page, "", c, Kvd(t.TempDir(), program, flag), drive.Options{})
		require.NoError(t, err)
		require.Equal(t, drive.Differs, r.Verdict)
		assert.Contains(t, r.Difference.Reason, want)
		assert.Equal(t, "start server", r.Difference.Step)
	}
}
