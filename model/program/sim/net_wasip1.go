package sim

import "contend/model/program/wire"

func receive(wire.Message) {}
