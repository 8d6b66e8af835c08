// Package cluster makes a tool of many machines: [Verbs] adds the verbs campaign and worker to the command line of any
// suite.
//
//	func main() { verify.Main(mine.Suite, cluster.Verbs) }
//
// It is a module of its own, so that who does without them does without what a NATS server depends on. Package hub is
// the server and the connections to it, campaign is what a campaign's jobs are and come to, and board is how they are
// kept on the server and done by workers. Here are the verbs, and the page of a campaign.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contend/checker/verify"
	"contend/checker/verify/tool"
	"contend/cluster/board"
	"contend/cluster/hub"
)

// Verbs are campaign and worker.
var Verbs = verify.Verbs(func(t *tool.Tool) []*cobra.Command {
	return []*cobra.Command{campaignVerb(t), workerVerb(t)}
})

// DefaultDir has the files of the server on this machine.
const DefaultDir = "contend-campaigns"

// accessFlags say where the server is.
type accessFlags struct {
	flags  *pflag.FlagSet
	dir    string
	server string
	creds  string
	ca     string
}

func (f *accessFlags) bind(set *pflag.FlagSet) {
	f.flags = set
	set.SortFlags = false
	set.StringVar(&f.dir, "dir", DefaultDir, "the server on this machine keeps its files in `DIR`")
	set.StringVar(&f.server, "server", "", "use the server at `URL`, such as tls://nats.example:4222, instead of one on this machine")
	set.StringVar(&f.creds, "creds", "", "the credentials for --server are in `FILE`")
	set.StringVar(&f.ca, "ca", "", "the certificates that vouch for --server are in `FILE` (default those of the system)")
}

// valid refuses flags that exclude each other.
func (f *accessFlags) valid() error {
	if f.server == "" {
		for _, name := range []string{"creds", "ca"} {
			if f.flags.Changed(name) {
				return fmt.Errorf("--%s is set, but has no effect without --server", name)
			}
		}
	} else if f.flags.Changed("dir") {
		return errors.New("--dir is set, but --server names a server elsewhere")
	}
	return nil
}

// reached is a server that was reached: one elsewhere, one on this machine in another process, or one in this process,
// which ends with it.
type reached struct {
	*hub.Hub
	inside *hub.Server
}

func (r *reached) close() error {
	r.Hub.Close()
	if r.inside == nil {
		return nil
	}
	return r.inside.Close()
}

// reach connects to the server that the flags name. On this machine that is the one that uses the directory, or else one
// that is started here; unless it may be made, the directory must have been used before.
func (f *accessFlags) reach(ctx context.Context, o hub.Options, name string, make bool, told func(error)) (*reached, error) {
	if err := f.valid(); err != nil {
		return nil, err
	}
	if f.server != "" {
		h, err := hub.Access{Server: f.server, Creds: f.creds, CA: f.ca, Told: told}.Connect(ctx, name)
		return &reached{Hub: h}, err
	}
	o.Dir = f.dir
	if _, err := os.Stat(filepath.Join(f.dir, "jetstream")); errors.Is(err, fs.ErrNotExist) && !make {
		return nil, fmt.Errorf("no campaign is kept in %s: if its start was cut short, start it again; --dir or --server names where others are", f.dir)
	}
	s, err := hub.Start(o)
	if errors.Is(err, hub.ErrInUse) {
		access, err := hub.Local(f.dir)
		if err != nil {
			return nil, err
		}
		access.Told = told
		h, err := access.Connect(ctx, name)
		return &reached{Hub: h}, err
	}
	if err != nil {
		return nil, err
	}
	h, err := s.Access().Connect(ctx, name)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &reached{Hub: h, inside: s}, nil
}

// where are the flags by which another command reaches the same server.
func (f *accessFlags) where() string {
	var words []string
	for _, name := range []string{"dir", "server", "creds", "ca"} {
		if flag := f.flags.Lookup(name); flag.Changed {
			words = append(words, "--"+name+" "+flag.Value.String())
		}
	}
	return strings.Join(append([]string{""}, words...), " ")
}

// opened is a campaign on a server that was reached.
func (f *accessFlags) opened(ctx context.Context, t *tool.Tool, name string) (*reached, *board.Campaign, error) {
	if err := hub.Named(name); err != nil {
		return nil, nil, err
	}
	r, err := f.reach(ctx, hub.Options{}, "campaign "+name, false, nil)
	if err != nil {
		return nil, nil, err
	}
	b, err := board.Open(ctx, r.Hub, 1)
	if err == nil {
		var c *board.Campaign
		if c, err = b.Campaign(ctx, t, name); err == nil {
			return r, c, nil
		}
	}
	return nil, nil, errors.Join(err, r.close())
}

// interrupted is a context that is over when the user asks to stop.
func interrupted(t *tool.Tool) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-t.Interrupt:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
