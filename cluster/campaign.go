package cluster

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/verdict"
	"contend/checker/verify/console"
	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/cluster/board"
	"contend/cluster/campaign"
	"contend/cluster/hub"
)

// campaignVerb returns the verb campaign with its subcommands.
func campaignVerb(t *tool.Tool) *cobra.Command {
	c := t.Verb(cobra.Command{
		Use:   "campaign",
		Short: "check on many processors or machines, for as long as wanted",
		Long: `A campaign is a list of jobs: checks of protocols, schedules to sample, mutants, inputs of fuzz targets, and systems of selftest.
It is kept on a NATS server with JetStream: one that campaign start runs in its own process and keeps in a
directory, or any other. Workers do the jobs; the verb worker starts them on other machines.

What a campaign comes to does not depend on the number of workers, nor on which of them die. docs/scale.md
describes how to use it.`,
		Example: "  verify campaign start nightly -- check -- mutants -- run backoff --schedules 1000000\n  verify campaign results nightly --html nightly.html",
	}, func(args []string) (int, error) {
		if len(args) > 0 {
			return 0, fmt.Errorf("campaign has no verb %q, only start, status, stop, resume and results", args[0])
		}
		return 0, errors.New("campaign needs one of start, status, stop, resume and results behind it")
	})
	c.AddCommand(startVerb(t), statusVerb(t), stopVerb(t), resumeVerb(t), resultsVerb(t))
	return c
}

// hereFlags are the flags for what start and resume run in their own process.
type hereFlags struct {
	access  accessFlags
	workers workersFlags
	output  flags.Output
	listen  string
	cert    string
	key     string
	store   flags.Memory
	html    string
}

func (f *hereFlags) bind(c *cobra.Command) {
	set := c.Flags()
	f.access.bind(set)
	set.IntVar(&f.workers.workers, "workers", runtime.NumCPU(), "run `N` workers in this process; 0 leaves all jobs to others")
	set.IntVar(&f.workers.threads, "threads", 1, "use `N` threads for each job")
	set.StringVar(&f.listen, "listen", "", "let the server on this machine listen on `HOST:PORT` (default a free port of loopback)")
	set.StringVar(&f.cert, "tls-cert", "", "the server's certificate is in `FILE`; it needs one beyond loopback")
	set.StringVar(&f.key, "tls-key", "", "the certificate's key is in `FILE`")
	set.Var(&f.store, "max-store", "let the server on this machine use `SIZE` of the disk, such as 10GiB (default three quarters of what is free)")
	f.output.Bind(set)
	f.output.BindRows(set)
	set.StringVar(&f.html, "html", "", "write a page of the campaign to `FILE`, again and again while it runs")
}

// checkServerFlags returns an error for flags that have no effect with --server.
func (f *hereFlags) checkServerFlags() error {
	if f.access.server == "" {
		return f.workers.valid(0)
	}
	for _, name := range []string{"listen", "tls-cert", "tls-key", "max-store", "workers", "threads", "json", "out", "rows", "findings", "html"} {
		if f.access.flags.Changed(name) {
			return fmt.Errorf("--%s is set, but has no effect with --server: that server has the campaign, workers do it, and results prints it", name)
		}
	}
	return nil
}

func (f *hereFlags) options() hub.Options {
	return hub.Options{Listen: f.listen, Cert: f.cert, Key: f.key, MaxStore: int64(f.store)}
}

// specFlags are the flags for a campaign's specification.
type specFlags struct {
	spec     campaign.Spec
	silence  time.Duration
	replicas int
}

func (f *specFlags) bind(set *pflag.FlagSet) {
	set.DurationVar(&f.spec.For, "for", 0, "begin no job once all have used `TIME` of processors together, such as 8h (default no bound)")
	set.BoolVar(&f.spec.Repeat, "repeat", false, "go on with further seeds of run, fuzz and selftest when all jobs are done, until --for or until stopped")
	set.IntVar(&f.spec.Each, "each", campaign.DefaultEach, "give a job at most `N` schedules, inputs of fuzz, or systems of selftest")
	set.DurationVar(&f.silence, "silence", 15*time.Second, "give the job of a worker that is not heard of for `TIME` to another")
	set.IntVar(&f.replicas, "replicas", 1, "let `N` servers of the cluster at --server keep the campaign")
}

// parts splits the arguments: the name, and the command lines behind each --.
func parts(c *cobra.Command, args []string) (name string, lines [][]string, err error) {
	dash := c.ArgsLenAtDash()
	before, behind := args, []string(nil)
	if dash >= 0 {
		before, behind = args[:dash], args[dash:]
	}
	if len(before) == 0 {
		return "", nil, errors.New("campaign start needs a name for the campaign")
	}
	name = before[0]
	if len(before) > 1 {
		lines = append(lines, before[1:])
	}
	for dash >= 0 {
		i := slices.Index(behind, "--")
		if i < 0 {
			lines = append(lines, behind)
			break
		}
		lines = append(lines, behind[:i])
		behind = behind[i+1:]
	}
	if lines == nil {
		lines = [][]string{{"check"}}
	}
	return name, lines, hub.CheckName(name)
}

const startHelp = `Start starts a campaign of the name given. Behind -- stands what to run, as one would type it for verify:
check, run, mutants or selftest, with arguments and with those flags that say what is checked. Several parts
are separated by --. Without any, it checks all protocols as verify check does. Another part is
fuzz [PROTOCOL[/VARIANT]]... [--inputs N] [--seed SEED]: runs that bytes stand for, as those of go test -fuzz.

Without --server it starts a server in this process, on --dir, with a worker for each processor, and prints
the results when all jobs are done, as check, run, mutants and selftest do. Ctrl-C stops the campaign, and
campaign resume goes on with it. With --server the campaign is put there and the command ends.

A check is one job, and so is a mutant. What run samples is split into jobs of --each schedules, of which
each has a seed of its own, from --seed on; so a thousand jobs sample other schedules than one of the same
seed would.

`

func startVerb(t *tool.Tool) *cobra.Command {
	var f hereFlags
	var s specFlags
	var c *cobra.Command
	c = t.Verb(cobra.Command{
		Use:   "start NAME [check|run|mutants|fuzz|selftest ...] [-- check|run|mutants|fuzz|selftest ...]...",
		Short: "start a campaign",
		Long:  startHelp + exitCodes,
		Example: `  verify campaign start nightly
  verify campaign start nightly --for 8h --repeat -- run backoff -n 6 -b 1 --schedules 100000
  verify campaign start all --server tls://nats.example:4222 --creds me.creds -- check -- mutants`,
	}, func(args []string) (int, error) {
		name, lines, err := parts(c, args)
		if err != nil {
			return 0, err
		}
		s.spec.Schema, s.spec.Name, s.spec.Parts = 1, name, lines
		if s.spec.Build, err = hub.Own(); err != nil {
			return 0, err
		}
		if c.Flags().Changed("for") && s.spec.For <= 0 {
			return 0, fmt.Errorf("--for is %v, but must be more than 0", s.spec.For)
		}
		if err := s.spec.Valid(); err != nil {
			return 0, err
		}
		if s.silence < board.LeastSilence || s.silence > board.MostSilence {
			return 0, fmt.Errorf("--silence is %v, but must be %v to %v", s.silence, board.LeastSilence, board.MostSilence)
		}
		if s.replicas < 1 || s.replicas > 5 {
			return 0, fmt.Errorf("replicas is %d, but must be 1 to 5", s.replicas)
		}
		if _, err := s.spec.Work(t); err != nil { // before it makes a directory
			return 0, err
		}
		return f.run(t, name, true, func(ctx context.Context, b *board.Board) (*board.Campaign, error) {
			return b.Start(ctx, t, &s.spec, s.silence)
		}, s.replicas)
	})
	s.bind(c.Flags())
	f.bind(c)
	return c
}

func resumeVerb(t *tool.Tool) *cobra.Command {
	var f hereFlags
	c := t.Verb(cobra.Command{
		Use:   "resume NAME",
		Short: "go on with a campaign",
		Long: `Resume goes on with a campaign that was stopped, or whose server ended: with the jobs that are not done. It
takes the program that started the campaign, for results are those of one program.

` + exitCodes,
		Example: "  verify campaign resume nightly",
	}, func(args []string) (int, error) {
		name, err := campaignName(args, "resume")
		if err != nil {
			return 0, err
		}
		return f.run(t, name, false, func(ctx context.Context, b *board.Board) (*board.Campaign, error) {
			c, err := b.Campaign(ctx, t, name)
			if err != nil {
				return nil, err
			}
			return c, c.Resume(ctx)
		}, 1)
	})
	f.bind(c)
	return c
}

// exitCodes is the help text about a campaign's exit codes.
const exitCodes = `Exit codes:
  0   every job is done, and none found anything; or --server has the campaign now
  1   a claim is violated, a mutant escapes, or the search and brute force disagree
  2   bad usage or bad input, a server that is not there, or another build
  3   jobs are left, were set aside, or hit a limit; nothing is violated
  70  an internal error`

// campaignName returns the campaign's name, a verb's only argument.
func campaignName(args []string, verb string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("campaign %s needs the name of a campaign, and nothing else", verb)
	}
	return args[0], hub.CheckName(args[0])
}

// run begins a campaign. Without --server it follows the campaign to its end.
func (f *hereFlags) run(t *tool.Tool, name string, fresh bool, begin func(context.Context, *board.Board) (*board.Campaign, error), replicas int) (code int, err error) {
	if err := f.checkServerFlags(); err != nil {
		return 0, err
	}
	if err := f.output.Writable(); err != nil {
		return 0, err
	}
	if f.html != "" {
		if err := flags.WritableFile("html", f.html); err != nil {
			return 0, err
		}
	}
	ctx, cancel := interrupted(t)
	defer cancel()
	r, err := f.access.reach(ctx, f.options(), "campaign "+name, fresh, nil)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	b, err := board.Open(ctx, r.Hub, replicas)
	if err != nil {
		return 0, err
	}
	if !fresh && f.access.server == "" && r.inside == nil {
		if err := f.checkUnused(ctx, b, name); err != nil {
			return 0, err
		}
	}
	c, err := begin(ctx, b)
	if err != nil {
		return 0, err
	}
	if f.access.server != "" {
		where := f.access.serverFlags()
		console.Say(t.Err, "campaign %s has %s; workers do them: %s worker%s", name, console.Counted(c.Work.Round(1), "job", "jobs"), verdict.Tool, where)
		console.Say(t.Err, "%s campaign results %s%s prints what it came to", verdict.Tool, name, where)
		return console.ExitHolds, nil
	}
	if fresh {
		console.Say(t.Err, "campaign %s is kept in %s: from now on, %s campaign resume %s%s goes on with it", name, f.access.dir, verdict.Tool, name, f.access.serverFlags())
	}
	if r.inside != nil && f.listen != "" {
		console.Say(t.Err, "workers elsewhere: %s worker --server %s --creds FILE, a copy of %s/key", verdict.Tool, r.inside.RemoteAddress(), f.access.dir)
	}
	return f.follow(ctx, t, r, c)
}

// checkUnused returns an error if another process on this machine runs the campaign. That process has the server,
// so its end would end this process, too.
func (f *hereFlags) checkUnused(ctx context.Context, b *board.Board, name string) error {
	busy, err := b.Busy(ctx, name, aliveWithin)
	if err != nil || !busy {
		return err
	}
	where := f.access.serverFlags()
	return fmt.Errorf("campaign %s runs already, in the process that has the server of %s: %s campaign status %s%s says how far it is, and %s worker %s%s helps it",
		name, f.access.dir, verdict.Tool, name, where, verdict.Tool, name, where)
}

// follow does jobs and shows progress, until all are done or the campaign is stopped. Then it prints the
// results.
func (f *hereFlags) follow(ctx context.Context, t *tool.Tool, r *connection, c *board.Campaign) (int, error) {
	working, stop := context.WithCancel(ctx)
	defer stop()
	over := make(chan error, 1)
	go func() {
		if f.workers.workers == 0 {
			over <- nil
			return
		}
		over <- crew(working, t, r.Hub, &f.workers, c.Spec.Name)
	}()
	p := newPage(t, c, f.html)
	s, err := watch(ctx, t, c, p)
	stop()
	if failed := <-over; err == nil {
		err = failed
	}
	t.Status.Clear()
	if err != nil && ctx.Err() == nil {
		return 0, err
	}
	last, cancel := hub.Patient(context.Background())
	defer cancel()
	if ctx.Err() != nil {
		if err := c.Stop(last, "it was interrupted"); err != nil {
			return 0, err
		}
		console.Say(t.Err, "campaign %s is stopped; %s campaign resume %s%s goes on with it", c.Spec.Name, verdict.Tool, c.Spec.Name, f.access.serverFlags())
	} else if s != nil && s.Phase == board.Stopped {
		console.Say(t.Err, "campaign %s is stopped: %s", c.Spec.Name, s.Why)
	}
	code, err := results(last, t, c, f.output, p)
	if err != nil && r.inside == nil && hub.ConnectionLost(err) {
		err = fmt.Errorf("the process that has the server of %s has ended; %s campaign results %s%s prints what the campaign came to", f.access.dir, verdict.Tool, c.Spec.Name, f.access.serverFlags())
	}
	return code, err
}

// watch shows the progress of a campaign until it is done or stopped, or the context ends.
func watch(ctx context.Context, t *tool.Tool, c *board.Campaign, p *page) (s *board.State, err error) {
	for ctx.Err() == nil {
		if s, err = c.State(ctx); err != nil && !hub.ConnectionLost(err) {
			return nil, err
		}
		done, lost := c.Completed(ctx)
		if err == nil && lost == nil {
			if s.Phase == board.Stopped || done >= c.Jobs(s) && !c.Spec.Repeat {
				return s, nil
			}
			t.Status.Tell(func() string {
				return fmt.Sprintf("campaign %s: %d of %d jobs done", c.Spec.Name, done, c.Jobs(s))
			})
		}
		if err := p.refresh(ctx); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	return s, nil
}
