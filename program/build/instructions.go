package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// asking are the instructions with which code asks the kernel itself, and chancy those whose results no host decides.
var (
	asking = regexp.MustCompile(`(?m)^\s*(?:\w+:\s*)?(SYSCALL|SYSENTER|INT\s+\$(?:0x80|128))\b`)
	chancy = regexp.MustCompile(`(?m)^\s*(?:\w+:\s*)?(RDTSCP?|RDRAND[WLQ]?|RDSEED[WLQ]?)\b`)
)

// rerouted are packages whose functions that ask the kernel the host replaces in the program's image.
const rerouted = "golang.org/x/sys/unix"

// asksKernel is an error if a file in assembly asks the kernel.
func asksKernel(pkg, name string, text []byte) error {
	if found := asking.FindSubmatch(text); found != nil && pkg != rerouted {
		return fmt.Errorf("%s asks the kernel by the instruction %s in %s, which no host can answer: call package syscall", pkg, found[1], name)
	}
	return nil
}

// Kernel returns an error if a package that is listed asks the kernel itself, outside of the standard library. The text is what go list -json writes of packages that
// are to be a native guest.
func Kernel(list []byte) error {
	for d := json.NewDecoder(bytes.NewReader(list)); ; {
		var one listed
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if one.Standard {
			continue
		}
		for _, name := range one.SFiles {
			text, err := os.ReadFile(filepath.Join(one.Dir, name))
			if err == nil {
				err = asksKernel(one.ImportPath, name, text)
			}
			if err != nil {
				return err
			}
		}
	}
}

// instructions returns a sentence for what the assembly of a native guest's package sees that is not the host's to decide. It is an error that the
// package asks the kernel itself: nobody could answer for it.
func (l listed) instructions() (all []string, err error) {
	for _, name := range l.SFiles {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return nil, err
		}
		if err := asksKernel(l.ImportPath, name, text); err != nil {
			return nil, err
		}
		if found := chancy.FindSubmatch(text); found != nil {
			all = append(all, fmt.Sprintf("%s has the instruction %s in %s, whose result differs from run to run: use package time or math/rand", l.ImportPath, strings.TrimSpace(string(found[1])), name))
		}
	}
	return all, nil
}
