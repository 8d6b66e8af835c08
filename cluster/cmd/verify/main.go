// Verify is the tool of the same name with the verbs campaign and worker, and with searches in several
// processes. Run verify campaign --help.
package main

import (
	"contend/checker/verify"
	"contend/cluster"
	"contend/cluster/split"
	"contend/impl"
	"contend/impl/tables"
)

func main() {
	verify.Main(impl.Suite, verify.Tables(tables.All), cluster.Verbs, split.Partitions, split.Part)
}
