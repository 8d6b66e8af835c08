package main

import "contend/model/program/sim"

func init() { sim.Main(main) }
