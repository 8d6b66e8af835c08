// Package flags reads what the command line says: which configuration, within which limits, by
// which strategy, and where results go. What is wrong is said in one sentence that names the flag.
package flags
