// Package report prints what checks and measurements come to: a table that grows as rows finish,
// sentences that sum it up, a line of progress, traces in files; or JSON, an object a line.
package report
