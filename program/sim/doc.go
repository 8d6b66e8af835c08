// Package sim is what a program uses that runs as a node of contend/program: connections to the other nodes, the calls of its
// application, and what it shows. Built for anything but wasip1 it stands for package net, and nobody calls or looks, so that
// the program runs as ever.
//
// A program becomes a node by a file beside its function main:
//
//	//go:build wasip1
//
//	package main
//
//	import "contend/program/sim"
//
//	func init() { sim.Main(main) }
//
// Addresses are "host:port", where host is the name of a node.
package sim
