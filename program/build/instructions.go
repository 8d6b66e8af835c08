package build

import (
	"fmt"
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

// instructions returns a sentence for what the assembly of a native guest's package sees that is not the host's to decide. It is an error that the
// package asks the kernel itself: nobody could answer for it.
func (l listed) instructions() (all []string, err error) {
	for _, name := range l.SFiles {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return nil, err
		}
		if found := asking.FindSubmatch(text); found != nil && l.ImportPath != rerouted {
			return nil, fmt.Errorf("%s asks the kernel by the instruction %s in %s, which no host can answer: call package syscall", l.ImportPath, found[1], name)
		}
		if found := chancy.FindSubmatch(text); found != nil {
			all = append(all, fmt.Sprintf("%s has the instruction %s in %s, whose result differs from run to run: use package time or math/rand", l.ImportPath, strings.TrimSpace(string(found[1])), name))
		}
	}
	return all, nil
}
