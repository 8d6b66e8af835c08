// Package foreign makes nodes of objects that were not written for a checker, such as the core of
// a library.
package foreign
