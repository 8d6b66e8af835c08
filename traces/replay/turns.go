package replay

// turn appends the number of steps to [Run.Turns] for each claim whose state changes.
func (r *Replayer) turn(run *Run, steps int) {
	for _, c := range r.watched {
		is := r.World.Witnessed[c.Name]
		if c.HasGoal() {
			is = r.World.Reached(c)
		}
		if was := len(run.Turns[c.Name])%2 == 1; is != was {
			run.Turns[c.Name] = append(run.Turns[c.Name], steps)
		}
	}
}
