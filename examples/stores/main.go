// Stores checks key–value stores that are Go libraries, each in a server on a disk that crashes tear. See the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/stores/group"
	"contend/model"
)

func main() {
	verify.Main([]*model.Protocol{group.Goleveldb, group.Nutsdb, group.Bbolt, group.Pebble, group.Badger})
}
