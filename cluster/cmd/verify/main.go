// Verify is the tool of the same name, whose searches may be split over processes.
package main

import (
	"contend/checker/verify"
	"contend/cluster/split"
	"contend/impl"
	"contend/impl/tables"
)

func main() {
	verify.Main(impl.Suite, verify.Tables(tables.All), split.Part, split.Partitions)
}
