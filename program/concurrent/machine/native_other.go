//go:build !(linux && amd64) && !wasip1

package machine

import "contend/program/native"

// load takes no tests here.
func load(string, string) (interface {
	run(test, pattern string, d Driver) Exit
}, error) {
	return nil, native.Supported()
}
