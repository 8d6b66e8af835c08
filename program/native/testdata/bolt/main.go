// Bolt keeps words in a file of bbolt, unmodified: it maps the file, locks it, and syncs its data.
package main

import (
	"fmt"
	"os"
	"strings"

	bolt "go.etcd.io/bbolt"

	"contend/program/sim"
)

func main() {
	db, err := bolt.Open("/db", 0o600, &bolt.Options{NoSync: os.Getenv("NOSYNC") != ""})
	if err != nil {
		panic(err)
	}
	for {
		words := strings.Fields(sim.Invoked())
		switch words[0] {
		case "put":
			err := db.Update(func(tx *bolt.Tx) error {
				b, err := tx.CreateBucketIfNotExists([]byte("words"))
				if err != nil {
					return err
				}
				return b.Put([]byte(words[1]), []byte(strings.Repeat(words[2], 300)))
			})
			sim.Return(fmt.Sprint(err))
		case "get":
			var is string
			err := db.View(func(tx *bolt.Tx) error {
				if b := tx.Bucket([]byte("words")); b != nil {
					is = string(b.Get([]byte(words[1])))
				}
				return nil
			})
			if err != nil {
				is = err.Error()
			}
			sim.Return(is)
		}
	}
}
