// Package cluster distributes work over machines: [Verbs] adds the verbs campaign and worker to the command
// line of any suite.
//
//	func main() { verify.Main(mine.Suite, cluster.Verbs) }
//
// It is a separate module, so that only its users depend on a NATS server. Package hub has the server and its
// connections, campaign has jobs and their outcomes, and board has the stores and the workers. This package
// has the verbs, and the page of a campaign.
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

// Verbs adds the verbs campaign and worker.
var Verbs = verify.Verbs(func(t *tool.Tool) []*cobra.Command {
	return []*cobra.Command{campaignVerb(t), workerVerb(t)}
})

// DefaultDir is the default directory of the server on this machine.
const DefaultDir = "contend-campaigns"

// accessFlags are the flags for the server.
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

// valid returns an error for flags that exclude each other.
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

// A connection is a connection to a server: elsewhere, in another process on this machine, or in this process. A
// server in this process ends with it.
type connection struct {
	*hub.Hub
	inside *hub.Server
}

func (r *connection) close() error {
	r.Hub.Close()
	if r.inside == nil {
		return nil
	}
	return r.inside.Close()
}

// reach connects to the server of the flags. On this machine it is the directory's server, started here if it
// does not run. Unless make is set, the directory must have been used before.
func (f *accessFlags) reach(ctx context.Context, o hub.Options, name string, create bool, notify func(error)) (*connection, error) {
	if err := f.valid(); err != nil {
		return nil, err
	}
	if f.server != "" {
		h, err := hub.Access{Server: f.server, Creds: f.creds, CA: f.ca, Notify: notify}.Connect(ctx, name)
		return &connection{Hub: h}, err
	}
	o.Dir = f.dir
	if _, err := os.Stat(filepath.Join(f.dir, "jetstream")); errors.Is(err, fs.ErrNotExist) && !create {
		return nil, fmt.Errorf("no campaign is kept in %s: if its start was cut short, start it again; --dir or --server names where others are", f.dir)
	}
	s, err := hub.Start(o)
	if errors.Is(err, hub.ErrInUse) {
		access, err := hub.Local(f.dir)
		if err != nil {
			return nil, err
		}
		access.Notify = notify
		h, err := access.Connect(ctx, name)
		return &connection{Hub: h}, err
	}
	if err != nil {
		return nil, err
	}
	h, err := s.Access().Connect(ctx, name)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &connection{Hub: h, inside: s}, nil
}

// serverFlags returns the flags by which another command reaches the same server.
func (f *accessFlags) serverFlags() string {
	var words []string
	for _, name := range []string{"dir", "server", "creds", "ca"} {
		if flag := f.flags.Lookup(name); flag.Changed {
			words = append(words, "--"+name+" "+flag.Value.String())
		}
	}
	return strings.Join(append([]string{""}, words...), " ")
}

// openCampaign connects to the server and opens a campaign.
func (f *accessFlags) openCampaign(ctx context.Context, t *tool.Tool, name string) (*connection, *board.Campaign, error) {
	if err := hub.CheckName(name); err != nil {
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

// interrupted returns a context that ends when the user interrupts the tool.
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
