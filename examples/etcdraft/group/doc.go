// Package group is a raft group as a protocol: its parameters, workloads, claims, options,
// mutants, checks and findings. It does not name the library's types.
package group
