package split

import (
	"os"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/search/parts"
	"contend/checker/verify"
	"contend/checker/verify/tool"
	"contend/cluster/hub"
)

// Partitions splits searches over processes on this machine: check has --parts then. They meet on a server in the
// first of them, or on the one that the environment's CONTEND_SERVER names, with CONTEND_CREDS and CONTEND_CA.
var Partitions = verify.Crew(func(job checker.PartJob, of int, dir, name string) (parts.Crew, func(bool), error) {
	access := hub.Access{Server: os.Getenv("CONTEND_SERVER"), Creds: os.Getenv("CONTEND_CREDS"), CA: os.Getenv("CONTEND_CA")}
	c, err := NewCrew(job, of, dir, name, access)
	if err != nil {
		return nil, nil, err
	}
	return c, c.Close, nil
})

// Part is the verb by which [Partitions] starts the other processes.
var Part = verify.Verbs(func(t *tool.Tool) []*cobra.Command {
	return []*cobra.Command{{
		Use: PartVerb, Hidden: true, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return Serve(t.Suite, os.Stdin, os.Stdout) },
	}}
})
