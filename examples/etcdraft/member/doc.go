// Package member is a process of a raft group. All code that names the types of go.etcd.io/raft/v3 is here:
// the glue (peer.go, life.go, invoke.go, apply.go), messages, what survives a crash, the claims' view
// (view.go, observe.go, notes.go), and mistakes of users (wrong.go, torn.go).
package member
