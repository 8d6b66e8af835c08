// Verify checks the claims of the protocols in [contend/impl]. Run verify --help.
package main

import (
	"contend/checker/verify"
	"contend/impl"
)

func main() { verify.Main(impl.Suite) }
