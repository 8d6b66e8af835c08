package main

import "contend/program/sim"

func init() { sim.Main(main) }
