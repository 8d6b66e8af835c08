// Package sampled makes a planned row by sampling schedules, and chooses good runs among sampled schedules.
// row.go makes the row, and good.go chooses the run.
package sampled
