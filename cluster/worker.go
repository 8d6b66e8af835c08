package cluster

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/cluster/board"
	"contend/cluster/hub"
)

// workersFlags are the flags for the workers of a process.
type workersFlags struct {
	workers int
	threads int
}

func (f *workersFlags) valid(least int) error {
	if f.workers < least || f.workers > 1024 {
		return fmt.Errorf("workers is %d, but must be %d to 1024", f.workers, least)
	}
	if f.threads < 1 || f.threads > 256 {
		return fmt.Errorf("threads is %d, but must be 1 to 256", f.threads)
	}
	return nil
}

// workerVerb returns the verb worker.
func workerVerb(t *tool.Tool) *cobra.Command {
	var access accessFlags
	var f workersFlags
	var serve bool
	var name string
	c := t.Verb(cobra.Command{
		Use:   "worker [NAME]",
		Short: "do jobs of campaigns until told to stop",
		Long: `Worker does jobs of the campaign that is named, or of all campaigns on the server, until it is told to
stop. It waits while there are none, and while the server is away.

A worker runs only what its own program holds: what it is sent is the number of a job. So it must be the
same file as the program that started the campaign; a campaign of another build is refused by name.

A job is done in a process of its own. When that process dies, the worker notes how and what was printed,
and the job is given to another process. When the worker dies or is not heard of, its job is given to another
worker.

Without --server it works for the server on this machine that uses --dir. A server that is not on loopback
is spoken to with TLS only, and needs --creds.

Exit codes:
  0   it was told to stop
  2   bad usage, no server, or campaigns of another build
  70  an internal error`,
		Example:           "  verify worker --server tls://nats.example:4222 --creds worker.creds --workers 8",
		ValidArgsFunction: cobra.NoFileCompletions,
	}, func(args []string) (int, error) {
		if serve {
			out := os.Stdout
			os.Stdout = os.Stderr // a handler's output is no reply
			return console.ExitHolds, board.Serve(t, name, f.threads, os.Stdin, out)
		}
		if len(args) > 1 {
			return 0, fmt.Errorf("worker takes one campaign at most, but there is %q", args[1])
		}
		if err := f.valid(1); err != nil {
			return 0, err
		}
		only := ""
		if len(args) > 0 {
			if only = args[0]; hub.CheckName(only) != nil {
				return 0, hub.CheckName(only)
			}
		}
		return work(t, &access, &f, only)
	})
	access.bind(c.Flags())
	c.Flags().IntVar(&f.workers, "workers", 1, "do `N` jobs side by side")
	c.Flags().IntVar(&f.threads, "threads", 1, "use `N` threads for each job")
	c.Flags().BoolVar(&serve, board.ChildFlag[2:], false, "")
	c.Flags().StringVar(&name, "name", "", "")
	for _, hidden := range []string{board.ChildFlag[2:], "name"} {
		_ = c.Flags().MarkHidden(hidden) // the flag exists
	}
	return c
}

// work works until it is interrupted.
func work(t *tool.Tool, access *accessFlags, f *workersFlags, only string) (int, error) {
	ctx, cancel := interrupted(t)
	defer cancel()
	if err := access.valid(); err != nil {
		return 0, err
	}
	from := hub.Access{Server: access.server, Creds: access.creds, CA: access.ca}
	if access.server == "" {
		var err error
		if from, err = hub.Local(access.dir); err != nil {
			return 0, err
		}
	}
	from.Notify = func(err error) {
		if err != nil {
			console.Say(t.Err, "the server %s is away: %v; the worker waits for it", from.Server, err)
		} else {
			console.Say(t.Err, "the server %s is there again", from.Server)
		}
	}
	h, err := from.Connect(ctx, "worker")
	if err != nil {
		return 0, err
	}
	defer h.Close()
	console.Say(t.Err, "%s for %s", console.Counted(f.workers, "worker", "workers"), from.Server)
	return console.ExitHolds, crew(ctx, t, h, f, only)
}

// crew runs the workers of a process until the context ends.
func crew(ctx context.Context, t *tool.Tool, h *hub.Hub, f *workersFlags, only string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, f.workers)
	var all sync.WaitGroup
	for i := range f.workers {
		all.Go(func() {
			b, err := board.Open(ctx, h, 0)
			if err == nil {
				w := &board.Worker{Tool: t, Board: b, Only: only, Threads: f.threads, Name: board.WorkerName(), Err: t.Err}
				err = w.Work(ctx)
			}
			if ctx.Err() != nil {
				return // a consequence of the end
			}
			errs[i] = err
			if err != nil {
				cancel() // an error of one is an error of all
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
