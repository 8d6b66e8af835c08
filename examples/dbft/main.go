// Dbft checks github.com/nspcc-dev/dbft. Run dbft --help.
package main

import (
	"contend/checker/verify"
	"contend/examples/dbft/committee"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{committee.Protocol}) }
