package split

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/search/parts"
	"contend/checker/verify"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/cluster/hub"
)

// Partitions adds --parts to check: a search in several processes. They meet on a server in the first
// process, or on the one in the environment variable CONTEND_SERVER, with CONTEND_CREDS and CONTEND_CA. On
// that server, processes that offer themselves by the verb part come first. The others are started on this
// machine.
var Partitions = verify.Crew(func(job checker.PartJob, count int, dir, name string) (parts.Crew, func(bool), error) {
	c, err := NewCrew(job, count, dir, name, fromEnvironment())
	if err != nil {
		return nil, nil, err
	}
	c.RemotePart = func(part int, where string) { console.Say(os.Stderr, "part %d of %d is at %s", part+1, count, where) }
	return c, c.Close, nil
})

func fromEnvironment() hub.Access {
	return hub.Access{Server: os.Getenv("CONTEND_SERVER"), Creds: os.Getenv("CONTEND_CREDS"), CA: os.Getenv("CONTEND_CA")}
}

// Part adds two verbs. The verb part offers a process to searches elsewhere. [Partitions] starts processes by the hidden verb.
var Part = verify.Verbs(func(t *tool.Tool) []*cobra.Command {
	return []*cobra.Command{offerVerb(t), {
		Use: PartVerb, Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return Serve(t.Suite, os.Stdin, os.Stdout) },
	}}
})

// offerVerb returns the verb part.
func offerVerb(t *tool.Tool) *cobra.Command {
	access := fromEnvironment()
	var dir string
	c := t.Verb(cobra.Command{
		Use:   "part",
		Short: "be a part of searches that others begin, until told to stop",
		Long: `Part offers this process to searches that others begin with check --parts and the same server. A search
takes one part after another from those that offer themselves, and starts the rest on its own machine. When
a search is over, or is not heard of for a minute, the process offers itself anew.

A process is called only by searches of its own build, the same file, and runs only what it holds: it is sent
the name of a protocol and a configuration. Start one on each machine; check --workers says how many threads
each part has, and --max-memory how much memory.

A server that is not on loopback is spoken to with TLS only, and needs --creds.

Exit codes:
  0   it was told to stop
  2   bad usage, or no server
  70  an internal error`,
		Example:           "  verify part --server tls://nats.example:4222 --creds worker.creds",
		ValidArgsFunction: cobra.NoFileCompletions,
	}, func(args []string) (int, error) {
		if len(args) > 0 {
			return 0, fmt.Errorf("part takes no arguments, but there is %q", args[0])
		}
		if access.Server == "" {
			return 0, errors.New("--server is not set, and has no default; it names the server where searches call")
		}
		return offers(t, access, dir)
	})
	c.Flags().SortFlags = false
	c.Flags().StringVar(&access.Server, "server", access.Server, "offer this process on the server at `URL` (default that of CONTEND_SERVER)")
	c.Flags().StringVar(&access.Creds, "creds", access.Creds, "the credentials for the server are in `FILE` (default that of CONTEND_CREDS)")
	c.Flags().StringVar(&access.CA, "ca", access.CA, "the certificates that vouch for the server are in `FILE` (default that of CONTEND_CA)")
	c.Flags().StringVar(&dir, "dir", os.TempDir(), "keep the files of a part below `DIR` while it lasts")
	return c
}

// offers offers this process until it is interrupted.
func offers(t *tool.Tool, access hub.Access, dir string) (int, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-t.Interrupt:
			cancel()
		case <-ctx.Done():
		}
	}()
	say := func(format string, args ...any) { console.Say(t.Err, format, args...) }
	h, err := access.Connect(ctx, "part")
	if err != nil {
		return 0, err
	}
	defer h.Close()
	return console.ExitHolds, Offer(ctx, h, access, dir, say)
}
