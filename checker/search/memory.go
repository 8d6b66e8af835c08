package search

// shareMemory says how much of the memory that a search may take up is for the table, and how
// much for the chunks of layers; what is beyond that goes to files. A graph numbers the states
// with the notes of the table, so that then all stay.
func (x *explorer) shareMemory() {
	if x.opt.MaxMemory == 0 || x.graph != nil {
		return
	}
	table, chunks := x.opt.MaxMemory/2, x.opt.MaxMemory/4
	if x.opt.table != 0 {
		table, chunks = x.opt.table, x.opt.chunks
	}
	x.set.SpillTo(x.files, table)
	x.held.Most = chunks
}

// memory estimates what the search takes up, in bytes. The other workers are taken to
// remember as much as the first does.
func (x *explorer) memory() int64 {
	m := x.held.Load()
	if x.classes != nil {
		m += x.classes.size
	} else {
		m += x.set.Bytes()
	}
	s := x.workers[0]
	each := int64(len(s.handled.slots)+len(s.watched.slots)+len(s.memo.slots))*16 + int64(len(s.reactions))*40
	m += each * int64(len(x.workers))
	m += int64(len(s.flats))*200 + int64(len(s.localPrints))*200
	if x.graph != nil {
		m += x.graph.bytes()
	}
	return m
}
