package about

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/starter"
	"contend/checker/verify/tool"
)

// New is the verb new.
func New(t *tool.Tool) *cobra.Command {
	var program string
	c := t.Verb(cobra.Command{
		Use:   "new NAME",
		Short: "create a package with a small protocol to start from",
		Long: `New creates the package NAME in a directory of that name. NAME.go is a small but complete protocol: a
lock server with its clients, a parameter, claims and a mutant. Change it into your own protocol.
NAME_test.go checks it under go test, and runs larger systems of it with rapid and go test -fuzz.

With --program the nodes of the protocol are whole programs, of the package main at PATH. A file
node_wasip1.go is written beside it, which makes it a node; other builds of it leave that file out.
It takes calls by sim.Invoked, ends them by sim.Return, and shows its state by sim.View:
go doc contend/program/sim lists them. docs/programs.md is a walk through.

A program of your own gives you this command line for your protocols:

  func main() { verify.Main([]*model.Protocol{NAME.Protocol}) }

It imports contend/checker/verify, contend/model and the package NAME.`,
		Example:           "  verify new mylock\n  go test ./mylock\n  verify new servers --program ./server",
		ValidArgsFunction: cobra.NoFileCompletions,
	}, func(args []string) (int, error) {
		if len(args) != 1 {
			return 0, fmt.Errorf("new takes one name, but there are %d", len(args))
		}
		if program != "" {
			return console.ExitHolds, startProgram(t, args[0], program)
		}
		return console.ExitHolds, startPackage(t, args[0])
	})
	c.Flags().StringVar(&program, "program", "", "run the package main at `PATH` on the nodes, such as ./server")
	return c
}

// packageName matches the usual names of Go packages. A name with an underscore could end in the name of an
// operating system: Go would leave out the file on others.
var packageName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// reserved returns why Go or Windows does not accept a name of a directory; "" if both do.
func reserved(name string) string {
	switch {
	case slices.Contains([]string{"vendor", "testdata", "internal"}, name):
		return "the go command treats directories of that name specially"
	case name == "init" || name == "main":
		return "a package of that name cannot be imported"
	case regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`).MatchString(name):
		return "Windows does not allow a directory of that name"
	}
	return ""
}

// newName refuses a name that no new package can have.
func newName(name string) error {
	if !packageName.MatchString(name) || token.IsKeyword(name) {
		return fmt.Errorf("name is %q, but must be the name of a Go package: lower-case letters and digits, a letter first, and not a keyword", name)
	}
	if why := reserved(name); why != "" {
		return fmt.Errorf("name is %q, but %s", name, why)
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("name is %q, but a file or directory of that name exists", name)
	}
	return nil
}

// startPackage writes the files of a new protocol.
func startPackage(t *tool.Tool, name string) error {
	if err := newName(name); err != nil {
		return err
	}
	if err := os.Mkdir(name, 0o755); err != nil {
		return err
	}
	for _, suffix := range []string{".go", "_test.go"} {
		text, err := starter.Files.ReadFile("starter" + suffix)
		if err != nil {
			return err
		}
		path := filepath.Join(name, name+suffix)
		if err := os.WriteFile(path, []byte(named(string(text), name)), 0o644); err != nil {
			return err
		}
		fmt.Fprintln(t.Out, path)
	}
	fmt.Fprintf(t.Out, "\n%sCheck it with: go test ./%s\nTo check it with verify, add %s.Protocol to the suite of a program: see %s new --help.\n", dependence("."), name, name, verdict.Tool)
	return nil
}

// named gives the starter a name of its own.
func named(text, name string) string {
	return strings.NewReplacer("package starter", "package "+name, "Package starter", "Package "+name, `"starter"`, `"`+name+`"`).Replace(text)
}
