// Package lin
package lin
