package viewing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker"
	inputs "contend/checker/corpus"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
)

// Corpus is the verb corpus.
func Corpus(t *tool.Tool) *cobra.Command {
	var out string
	cmd := t.Verb(cobra.Command{
		Use:   "corpus TRACE...",
		Short: "turn traces into inputs for go test -fuzz",
		Long: `Corpus finds for each trace the bytes from which the fuzz target of checker.Fuzz makes that very run, and
prints them as go test -fuzz keeps an input. With --out it writes each into a file of the directory,
which for a target FuzzProtocol is testdata/fuzz/FuzzProtocol: from then on go test runs it, and go test
-fuzz begins with it.

The target makes runs of the protocol's own checks, except mutants, and of systems that are up to 2 larger in each
parameter. A run ends some steps after every script is done. A trace of another system, or whose steps go on after them, is
refused.

Exit codes:
  0   every trace is turned into an input
  2   a trace cannot be read, belongs to another suite, or is no run of the target`,
		Example:           "  verify corpus run.json --out testdata/fuzz/FuzzProtocol",
		ValidArgsFunction: tool.CompleteTraces,
	}, func(args []string) (int, error) {
		if len(args) == 0 {
			return 0, fmt.Errorf("corpus needs a trace")
		}
		if len(args) > 1 && out == "" {
			return 0, fmt.Errorf("corpus prints one input, but there are %d traces; --out is a directory for them", len(args))
		}
		code := console.ExitHolds
		for _, path := range args {
			if err := enter(t, path, out); err != nil {
				console.Say(t.Err, "%s", console.Plain(err.Error()))
				code = console.ExitUsage
			}
		}
		return code, nil
	})
	cmd.Flags().StringVar(&out, "out", "", "write each input into a file of this `directory`")
	return cmd
}

// enter writes the input of a trace. The error names the file.
func enter(t *tool.Tool, path, dir string) error {
	p, tr, err := t.Read(path)
	if err != nil {
		return err
	}
	entry, err := inputs.Entry(checker.Target{Protocol: p}, tr)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if dir == "" {
		_, err := t.Out.Write(inputs.Write(entry))
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	file := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	if err := os.WriteFile(file, inputs.Write(entry), 0o644); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	fmt.Fprintf(t.Out, "%s: %s in %s\n", console.Plain(file), console.Counted(len(tr.Steps), "step", "steps"), console.Counted(len(entry), "byte", "bytes"))
	return nil
}
