package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/cluster/board"
	"contend/cluster/hub"
)

// aliveWithin is the time after a worker's last report in which it counts as alive. It reports at least every ten
// seconds.
const aliveWithin = 30 * time.Second

func statusVerb(t *tool.Tool) *cobra.Command {
	var access accessFlags
	var asJSON bool
	c := t.Verb(cobra.Command{
		Use:   "status [NAME]",
		Short: "say how far a campaign is, and what its workers do",
		Long: `Status says how far a campaign is: jobs done and left, and what each worker does. Without a name it lists
all campaigns on the server. It needs no program of the campaign's build unless a campaign is named.

Exit codes:
  0   it was told
  2   bad usage, or a campaign or server that is not there
  70  an internal error`,
		Example: "  verify campaign status\n  verify campaign status nightly --json",
	}, func(args []string) (int, error) {
		if len(args) > 1 {
			return 0, fmt.Errorf("campaign status takes one campaign at most, but there is %q", args[1])
		}
		ctx, cancel := interrupted(t)
		defer cancel()
		if len(args) == 0 {
			return list(ctx, t, &access, asJSON)
		}
		r, c, err := access.openCampaign(ctx, t, args[0])
		if err != nil {
			return 0, err
		}
		defer r.close()
		st, err := statusOf(ctx, c)
		if err != nil {
			return 0, err
		}
		if asJSON {
			return console.ExitHolds, console.PrintJSON(t.Out, st)
		}
		return console.ExitHolds, st.print(t)
	})
	access.bind(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, or one for each campaign")
	return c
}

func stopVerb(t *tool.Tool) *cobra.Command {
	var access accessFlags
	c := t.Verb(cobra.Command{
		Use:   "stop NAME",
		Short: "stop a campaign; resume goes on with it",
		Long: `Stop takes the jobs of a campaign from its workers. What is done stays, and campaign resume goes on with
the jobs that are left.

Exit codes:
  0   it is stopped
  2   bad usage, or a campaign or server that is not there
  70  an internal error`,
		Example: "  verify campaign stop nightly",
	}, func(args []string) (int, error) {
		name, err := campaignName(args, "stop")
		if err != nil {
			return 0, err
		}
		ctx, cancel := interrupted(t)
		defer cancel()
		r, c, err := access.openCampaign(ctx, t, name)
		if err != nil {
			return 0, err
		}
		defer r.close()
		return console.ExitHolds, c.Stop(ctx, "campaign stop told it to")
	})
	access.bind(c.Flags())
	return c
}

// list prints the campaigns.
func list(ctx context.Context, t *tool.Tool, access *accessFlags, asJSON bool) (int, error) {
	r, err := access.reach(ctx, hub.Options{}, "status", false, nil)
	if err != nil {
		return 0, err
	}
	defer r.close()
	b, err := board.Open(ctx, r.Hub, 1)
	if err != nil {
		return 0, err
	}
	names, err := b.Names(ctx)
	if err != nil {
		return 0, err
	}
	slices.Sort(names)
	for _, name := range names {
		spec, err := b.Spec(ctx, name)
		if err != nil {
			return 0, err
		}
		if asJSON {
			if err := console.PrintJSON(t.Out, spec); err != nil {
				return 0, err
			}
			continue
		}
		var lines []string
		for _, part := range spec.Parts {
			lines = append(lines, console.Quoted(part))
		}
		fmt.Fprintf(t.Out, "%s: %s; by %s\n", name, console.Plain(strings.Join(lines, " -- ")), console.Plain(spec.Build.String()))
	}
	if len(names) == 0 && !asJSON {
		fmt.Fprintln(t.Out, "There are no campaigns.")
	}
	return console.ExitHolds, nil
}

// A status is the progress of a campaign. Its JSON is a stable contract.
type status struct {
	Schema  int             `json:"schema"`
	Name    string          `json:"name"`
	Phase   board.Phase     `json:"phase"`
	Why     string          `json:"why"`
	Jobs    int             `json:"jobs"`
	Done    int             `json:"done"`
	Queued  uint64          `json:"queued"` // including the workers' jobs
	CPU     float64         `json:"cpu"`    // seconds of all workers' jobs
	Steps   int64           `json:"steps"`  // states and schedules
	Workers []*board.Report `json:"workers"`
}

func statusOf(ctx context.Context, c *board.Campaign) (*status, error) {
	s, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	st := &status{Schema: 1, Name: c.Spec.Name, Phase: s.Phase, Why: s.Why, Jobs: c.Jobs(s), Workers: []*board.Report{}}
	if st.Done, err = c.Completed(ctx); err != nil {
		return nil, err
	}
	if st.Queued, err = c.Queued(ctx); err != nil {
		return nil, err
	}
	all, err := c.Workers(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range all {
		st.CPU += w.CPU
		st.Steps += w.Steps + w.Now
		if !w.Ended && time.Since(w.Contact) < aliveWithin {
			st.Workers = append(st.Workers, w)
		}
	}
	slices.SortFunc(st.Workers, func(a, b *board.Report) int { return cmp.Compare(a.Worker, b.Worker) })
	return st, nil
}

// phase returns the phase in words.
func (s *status) phase() string {
	switch {
	case s.Done >= s.Jobs:
		return "done"
	case s.Phase == board.Stopped && s.Why != "":
		return "stopped: " + s.Why
	}
	return string(s.Phase)
}

func (s *status) print(t *tool.Tool) error {
	fmt.Fprintf(t.Out, "campaign %s: %s; %d of %s done, %d in the queue; %.0f s of processors\n", s.Name, console.Plain(s.phase()), s.Done,
		console.Counted(s.Jobs, "job", "jobs"), s.Queued, t.PrintedSeconds(s.CPU))
	if len(s.Workers) == 0 {
		_, err := fmt.Fprintln(t.Out, "No worker is there.")
		return err
	}
	w := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WORKER\tDONE\tFOR\tDOES")
	for _, r := range s.Workers {
		does := cmp.Or(r.Title, "waits")
		if r.Now > 0 {
			does += fmt.Sprintf(", %d so far", r.Now)
		}
		if r.Trouble != "" {
			does += "; " + r.Trouble
		}
		fmt.Fprintf(w, "%s\t%d\t%v\t%s\n", console.Plain(r.Worker), r.Done, time.Since(r.Since).Truncate(time.Second), console.Plain(does))
	}
	return w.Flush()
}
