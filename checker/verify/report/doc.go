// Package report prints the results of checks: rows as they finish, a summary in sentences, traces in files; or
// JSON, one object a line.
package report
