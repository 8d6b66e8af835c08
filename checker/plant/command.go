package plant

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Check runs a program that was built with a mistake, or without, and returns what it prints, and the time that processors worked
// for it. The arguments are those of a check or of a run, with the verb. That a claim is violated (exit code 1) or open (3) is no error.
func Check(program string, args ...string) (out []byte, cpu time.Duration, err error) {
	return check(exec.Command(program, args...), args)
}

// Check runs a program like [Check]. Programs that it builds when it runs, as one does whose nodes are whole programs, have the edits.
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

// Divergence says where a program leaves the run of a trace, or ends it otherwise: a program without the mistake has to. It
// returns "" where the program takes the whole run, and so breaks the claim too.
func Divergence(program, trace string) (string, error) {
	out, err := exec.Command(program, "replay", trace).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", err
	}
	_, where, _ := strings.Cut(strings.TrimSpace(string(out)), "diverges: ")
	return where, nil
}
