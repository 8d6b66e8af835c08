// Package verdict has the options of a check and its result: rows, one for each configuration that is searched or
// sampled, with a verdict for each claim. The packages that search and sample make the rows.
//
// options.go has the options, row.go the rows, claim.go the results of claims, config.go the configurations of rows,
// and command.go the command lines that make a row again. violation.go reports violations, and findings.go
// recognizes recorded findings.
package verdict
