package editing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"contend/checker/plant"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
)

// plantFlags are the flags of plant.
type plantFlags struct {
	main string
	dir  string
}

// Plant is the verb plant.
func Plant(t *tool.Tool) *cobra.Command {
	var f plantFlags
	c := t.Verb(cobra.Command{
		Use:   "plant [flags] MODULE[@VERSION] (FILE OLD NEW)... [-- ARGUMENT...]",
		Short: "build your program with a bug in a dependency, or another release",
		Long: `Plant copies a module that your program depends on, replaces the text OLD by NEW in FILE of the copy,
and builds your program with the copy. OLD must occur exactly once in FILE. Run the command in your
program's module. With @VERSION the copy is of that release, and needs no edit. Neither that module, nor its go.mod, nor the module cache is changed.

Arguments after -- are passed to your program, which is then run; plant exits with its exit code. The
copy is removed afterwards, unless --dir says where to keep it.

Without -- the copy is kept, and the command that runs your program with it is printed. The same flags
work with go build and go test, but not in a workspace: set GOWORK=off.`,
		Example: `  verify plant go.etcd.io/raft/v3 quorum/majority.go \
    'q := len(c)/2 + 1' 'q := len(c) / 2' \
    -- check etcdraft -n 3 --claim "Election Safety"
  verify plant --dir /tmp/planted go.etcd.io/raft/v3 \
    raft.go 'r.Vote = m.From' '_ = m.From'
  verify plant github.com/hashicorp/raft@v1.3.2 -- run hashiraft --schedules 100`,
		ValidArgsFunction: cobra.NoFileCompletions,
	}, func(args []string) (int, error) {
		edits, program, run := atDashes(args)
		if len(edits)%3 != 1 || len(edits) == 1 && !strings.Contains(edits[0], "@") {
			return 0, fmt.Errorf("plant needs MODULE, then FILE OLD NEW for each edit, but there are %s before --", console.Counted(len(edits), "argument", "arguments"))
		}
		return plantEdits(t, edits[0], editsOf(edits[1:]), program, run, &f)
	})
	c.Flags().SortFlags = false
	c.Flags().SetInterspersed(false) // OLD and NEW may begin with -
	c.Flags().StringVar(&f.main, "main", ".", "the main `PACKAGE` of your program")
	c.Flags().StringVar(&f.dir, "dir", "", "copy the module to `DIR`, which must be empty or not exist, and keep the copy")
	return c
}

// atDashes separates the edits from the program's arguments, which follow the first -- outside an edit.
func atDashes(args []string) (edits, program []string, found bool) {
	for i := 1; i < len(args); i += 3 {
		if args[i] == "--" {
			return args[:i], args[i+1:], true
		}
	}
	return args, nil, false
}

func editsOf(args []string) (edits []plant.Edit) {
	for ; len(args) > 0; args = args[3:] {
		edits = append(edits, plant.Edit{File: args[0], Old: args[1], New: args[2]})
	}
	return edits
}

// plantEdits plants edits, and runs the program or prints how to. It removes what it has written unless a flag
// keeps it.
func plantEdits(t *tool.Tool, module string, edits []plant.Edit, args []string, run bool, f *plantFlags) (code int, err error) {
	dir, made, err := f.directory()
	if err != nil {
		return 0, err
	}
	kept := false
	defer func() {
		if !kept {
			err = errors.Join(err, clear(dir, made))
		}
	}()
	p, err := plant.Open(".", module, dir)
	if err != nil {
		return 0, err
	}
	if err := p.Plant(edits...); err != nil {
		return 0, err
	}
	program := filepath.Join(dir, "program")
	p.Interrupt = t.Interrupt
	switch err := p.Build(f.main, program); {
	case t.Interrupted():
		return console.ExitLimit, nil
	case err != nil:
		return 0, err
	}
	if !run {
		kept = true
		fmt.Fprintf(t.Out, "go run %s %s\n", console.Quoted(p.Flags()), console.Quoted([]string{f.main}))
		return console.ExitHolds, os.Remove(program)
	}
	kept = f.dir != ""
	return runPlanted(t, program, p.Env(), args)
}

// runPlanted runs the built program and returns its exit code. It forwards SIGTERM: unlike Ctrl-C, only this
// process receives it.
func runPlanted(t *tool.Tool, program string, env, args []string) (int, error) {
	command := exec.Command(program, args...)
	command.Env = env
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, t.Out, t.Err
	if err := command.Start(); err != nil {
		return console.ExitHolds, err
	}
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-t.Interrupt:
			if t.Signal() == syscall.SIGTERM {
				_ = command.Process.Signal(syscall.SIGTERM) // it may have ended
			}
		case <-over:
		}
	}()
	err := command.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil
	}
	return console.ExitHolds, err
}

// directory is an empty directory for the copy, and whether it was made.
func (f *plantFlags) directory() (dir string, made bool, err error) {
	if f.dir == "" {
		dir, err = os.MkdirTemp("", "contend-plant")
		return dir, true, err
	}
	switch entries, err := os.ReadDir(f.dir); {
	case errors.Is(err, fs.ErrNotExist):
		made = true
	case err != nil:
		return "", false, fmt.Errorf("--dir is %s, but must be a directory", f.dir)
	case len(entries) > 0:
		return "", false, fmt.Errorf("--dir is %s, but must be empty", f.dir)
	}
	return f.dir, made, flags.WritableDirectory("dir", f.dir)
}

// clear empties a directory, and removes it if it was made.
func clear(dir string, made bool) error {
	if made {
		return os.RemoveAll(dir)
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}
