// Verify is the tool of the same name with the verbs campaign and worker. Run verify campaign --help.
package main

import (
	"contend/checker/verify"
	"contend/cluster"
	"contend/impl"
	"contend/impl/tables"
)

func main() {
	verify.Main(impl.Suite, verify.Tables(tables.All), cluster.Verbs)
}
