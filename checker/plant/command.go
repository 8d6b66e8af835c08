package plant

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Check runs a built program and returns its output and its CPU time. The arguments are a verb and its
// arguments. Exit codes 1 (violated) and 3 (open) are not errors.
func Check(program string, args ...string) (out []byte, cpu time.Duration, err error) {
	return check(exec.Command(program, args...), args)
}

// Check runs a program as [Check] does. Programs that it builds while it runs also have the edits.
func (p *Plot) Check(program string, args ...string) (out []byte, cpu time.Duration, err error) {
	c := exec.Command(program, args...)
	c.Dir, c.Env = p.program, p.Env()
	return check(c, args)
}

func check(c *exec.Cmd, args []string) (out []byte, cpu time.Duration, err error) {
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err = c.Output()
	if c.ProcessState != nil {
		cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3) {
		return out, cpu, nil
	}
	if err != nil {
		return nil, cpu, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, cpu, nil
}

// Divergence replays a trace with a program, and returns the point at which the program's run diverges. It
// returns "" if the program takes the whole run, so that it breaks the claim, too.
func Divergence(program, trace string) (string, error) {
	out, err := exec.Command(program, "replay", trace).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", err
	}
	_, where, _ := strings.Cut(strings.TrimSpace(string(out)), "diverges: ")
	return where, nil
}
