// Package report prints what checks come to: rows as they finish, sentences that sum them up, traces in
// files; or JSON, an object a line.
package report
