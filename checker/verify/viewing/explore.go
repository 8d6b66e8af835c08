package viewing

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"contend/checker/explore"
	"contend/checker/plan"
	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/model"
	"contend/traces"
	"contend/traces/walk"
)

// exploreFlags are the flags of explore.
type exploreFlags struct {
	config flags.Config
	step   int
	at     string
	tty    bool
	port   int
	open   bool
	out    string
	cmd    *cobra.Command
}

func (f *exploreFlags) bind(c *cobra.Command, suite []*model.Protocol) {
	f.cmd = c
	c.Flags().SortFlags = false
	f.config.Bind(c.Flags(), suite)
	c.Flags().IntVar(&f.step, "step", 0, "begin after this number of `STEPS` of the trace (default all)")
	c.Flags().StringVar(&f.at, "at", "", "begin at this `PLACE`, as the page and the terminal print it")
	c.Flags().BoolVar(&f.tty, "tty", false, "explore in the terminal, without a page")
	c.Flags().IntVar(&f.port, "port", 0, "serve the page on this `PORT` of 127.0.0.1; 0 is any free port")
	c.Flags().BoolVar(&f.open, "open", false, "open the page in a browser")
	c.Flags().StringVar(&f.out, "out", "contend-traces", "save traces to `DIR`; without an argument the latest trace there is opened")
}

// Explore is the verb explore.
func Explore(t *tool.Tool) *cobra.Command {
	var f exploreFlags
	c := t.Verb(cobra.Command{
		Use:   "explore [PROTOCOL[/VARIANT] | TRACE]",
		Short: "walk through the states of a protocol, in a browser or a terminal",
		Long: `Explore serves a page, only to this machine, on which you walk through the states of a protocol. It
shows what can happen next, node by node, followed by faults and lies; the run so far as a diagram; the
state; and which claims hold. You take a step, go back, or branch off. The page can find the nearest state
that meets a condition on the nodes, save the current run as a trace, and show an exhaustive search in
progress. Its address contains the current place, and --at starts there in any later run. Ctrl-C ends it.

A trace is opened at its end, or after --step of its steps. Without an argument the latest trace in the
directory --out is opened, such as the counterexample of the last check.

--tty works in the terminal, by typing numbers of steps and commands:

` + walkHelp,
		Example: `  verify explore ordering -n 7 -b 1
  verify explore backoff -n 1 --time dense --open
  verify explore contend-traces/backoff-lease-delta-lemma-1-1.json --step 5
  verify explore ricartagrawala -n 2 --tty`,
		ValidArgsFunction: completeExplored(t),
	}, func(args []string) (int, error) {
		if err := f.effective(); err != nil {
			return 0, err
		}
		w, opt, err := explored(t, args, &f)
		if err != nil {
			return 0, err
		}
		if f.tty {
			x := &explorer{t: t, w: w}
			return console.ExitHolds, x.run(f.cmd.InOrStdin())
		}
		return console.ExitHolds, serve(t, opt, &f)
	})
	f.bind(c, t.Suite)
	t.CompleteParams(c, &f.config)
	return c
}

// completeExplored offers protocols to the shell, and files.
func completeExplored(t *tool.Tool) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		names, _ := t.Complete(c, args, typed)
		return names, cobra.ShellCompDirectiveDefault
	}
}

// effective refuses flags that change nothing, or cannot be.
func (f *exploreFlags) effective() error {
	changed := f.cmd.Flags().Changed
	for _, name := range []string{"port", "open"} {
		if f.tty && changed(name) {
			return fmt.Errorf("--%s is set, but --tty has no page", name)
		}
	}
	if f.port < 0 || f.port > 65535 {
		return fmt.Errorf("port is %d, but must be 0 to 65535", f.port)
	}
	if changed("at") && changed("step") {
		return fmt.Errorf("--at and --step are both set, but only one can say where to begin")
	}
	if f.out == "" {
		return fmt.Errorf("--out is empty, but must name a directory")
	}
	return nil
}

// explored returns the walk to explore, at its start, and the options.
func explored(t *tool.Tool, args []string, f *exploreFlags) (*walk.Walk, explore.Options, error) {
	if len(args) > 1 {
		return nil, explore.Options{}, fmt.Errorf("explore takes one protocol or trace, but there are %d", len(args))
	}
	file, err := f.trace(args)
	if err != nil {
		return nil, explore.Options{}, err
	}
	if file != "" {
		return exploredTrace(t, file, f)
	}
	if f.cmd.Flags().Changed("step") {
		return nil, explore.Options{}, fmt.Errorf("--step is set, but has no effect without a trace")
	}
	return exploredProtocol(t, args, f)
}

// trace is the file of the trace that is meant, or nothing where that is a protocol.
func (f *exploreFlags) trace(args []string) (string, error) {
	if len(args) == 0 {
		return latest(f.out)
	}
	if info, err := os.Stat(args[0]); strings.HasSuffix(args[0], ".json") || err == nil && info.Mode().IsRegular() {
		return args[0], nil
	}
	return "", nil
}

// latest is the trace in a directory that was written last.
func latest(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return "", err
	}
	last, newest := "", int64(0)
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && (last == "" || info.ModTime().UnixNano() > newest) {
			last, newest = file, info.ModTime().UnixNano()
		}
	}
	if last == "" {
		return "", fmt.Errorf("explore needs a protocol or a trace, and there is no trace in %s; %s list lists protocols", dir, verdict.Tool)
	}
	return last, nil
}

// exploredTrace explores from a trace.
func exploredTrace(t *tool.Tool, file string, f *exploreFlags) (*walk.Walk, explore.Options, error) {
	opt := explore.Options{Out: f.out}
	if f.config.Changed() || len(f.config.Claims) > 0 {
		return nil, opt, fmt.Errorf("%s is a trace with its own configuration, so flags for a configuration or claims cannot be set", file)
	}
	p, tr, err := t.Read(file)
	if err != nil {
		return nil, opt, err
	}
	steps := f.step
	if !f.cmd.Flags().Changed("step") {
		steps = len(tr.Steps)
	}
	opt.Protocol, opt.Header = p, *tr
	opt.Header.Steps, opt.Header.Cost, opt.Header.Claim, opt.Header.Text = nil, nil, "", ""
	opt.Check = model.Check{Variant: tr.Variant, Config: tr.Config.Model(), Reading: model.Untimed, Claims: tr.Watched, AssumeAnyway: true}
	if tr.Timed() {
		opt.Check.Reading = model.Grid
	}
	var w *walk.Walk
	if f.cmd.Flags().Changed("at") {
		w, err = f.there(&opt)
	} else {
		w, err = walk.Begin(p, tr, tool.Watched(p), steps)
	}
	if err != nil {
		return nil, opt, fmt.Errorf("%s: %w", file, err)
	}
	opt.Start = w.Place()
	return w, opt, nil
}

// exploredProtocol explores a protocol at a configuration.
func exploredProtocol(t *tool.Tool, args []string, f *exploreFlags) (*walk.Walk, explore.Options, error) {
	opt := explore.Options{Out: f.out}
	targets, err := t.Targets(args)
	if err != nil {
		return nil, opt, err
	}
	p, variant := targets[0].Protocol, targets[0].Variant
	c, err := f.config.Configure(p, model.Config{})
	if err != nil {
		return nil, opt, fmt.Errorf("%s: %w", p.Name, err)
	}
	reading, set, err := f.config.Reading()
	if err != nil {
		return nil, opt, err
	}
	if !set {
		reading, _ = plan.UsualReading(p, model.Check{Variant: variant, Claims: f.config.Claims, AssumeAnyway: f.config.Anyway})
	}
	opt.Protocol = p
	opt.Header = traces.New(p, variant, p.Filled(c), reading != model.Untimed, "", "")
	opt.Header.Watched = f.config.Claims
	opt.Check = model.Check{Variant: variant, Config: c, Reading: reading, Claims: f.config.Claims, AssumeAnyway: f.config.Anyway}
	w, err := f.there(&opt)
	if err != nil {
		return nil, opt, err
	}
	opt.Start = w.Place()
	return w, opt, nil
}

// there is a walk at the place that --at names, else at the beginning.
func (f *exploreFlags) there(opt *explore.Options) (*walk.Walk, error) {
	place, err := walk.ParsePlace(f.at)
	if err != nil {
		return nil, err
	}
	return walk.BeginAt(opt.Protocol, &opt.Header, tool.Watched(opt.Protocol), place)
}

// serve serves the page until Ctrl-C.
func serve(t *tool.Tool, opt explore.Options, f *exploreFlags) error {
	if err := flags.WritableDirectory("out", f.out); err != nil {
		return err
	}
	opt.Command = strings.Replace(verdict.Command(opt.Protocol, opt.Check, opt.Protocol.Filled(opt.Check.Config)), verdict.Tool+" check", verdict.Tool+" explore", 1)
	s, err := explore.New(opt)
	if err != nil {
		return err
	}
	return s.Serve(f.port, t.Interrupt, func(address string) {
		fmt.Fprintln(t.Out, address)
		console.Say(t.Err, "only this machine can open the page; keep its address to yourself; Ctrl-C ends it")
		if f.open {
			if err := browse(address); err != nil {
				console.Say(t.Err, "--open: cannot start a browser: %v", err)
			}
		}
	})
}

// browse opens an address in the browser of the desktop.
func browse(address string) error {
	with := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if with == nil {
		with = []string{"xdg-open"}
	}
	c := exec.Command(with[0], append(with[1:], address)...)
	if err := c.Start(); err != nil {
		return err
	}
	go func() { _ = c.Wait() }() // how it ends is its own affair
	return nil
}
