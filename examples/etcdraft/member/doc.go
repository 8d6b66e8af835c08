// Package member is a process of a raft group, and has every line that names the types of
// go.etcd.io/raft/v3: the glue (peer.go, life.go, invoke.go, apply.go), messages, what a crash
// leaves, what claims see (view.go, observe.go, notes.go), and mistakes of users (wrong.go, torn.go).
package member
