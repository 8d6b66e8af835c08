package search

import (
	"cmp"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/visited"
)

// Storage is the panic, and then the error, of a search that cannot write or read its files.
type Storage struct{ Err error }

func (s Storage) Error() string { return "the search's files: " + s.Err.Error() }

func (s Storage) Unwrap() error { return s.Err }

// must ends the search when its files fail. Whoever calls it holds no lock that others wait for.
func must(err error) {
	if err != nil {
		panic(Storage{err})
	}
}

// mostClaimants is how many of what was found in a layer are sorted at once: they take up a
// hundredth of the memory or so.
func (x *explorer) mostClaimants() int64 { return min(max(x.opt.MaxMemory>>12, 1<<12), 1<<20) }

// winnow removes from what was found in a layer the states that runs of earlier layers
// hold, and second copies: those met before and after the table was emptied. When there are
// many they are gone through several times, and those of one stretch of fingerprints are
// sorted each time, so that this takes little memory: but a bit for each.
func (x *explorer) winnow() error {
	if x.set == nil || !x.set.Spilled() {
		return nil
	}
	all := int64(0)
	for _, s := range x.workers {
		all += s.next.States
	}
	known := make([]uint64, all/64+1)
	dropped := false
	stretches := uint64(all/x.mostClaimants() + 1)
	for k := range stretches {
		claimants := x.claimants(k, stretches)
		err := x.set.Winnow(claimants, func(number int64) { known[number/64] |= 1 << (number % 64); dropped = true })
		if err != nil {
			return err
		}
	}
	number := int64(0)
	for _, s := range x.workers {
		if dropped {
			number = s.drop(known, number)
		}
	}
	return nil
}

// claimants lists what was found with a fingerprint in one of so many stretches, in order.
func (x *explorer) claimants(stretch, stretches uint64) []visited.Claimant {
	width := ^uint64(0)/stretches + 1 // 0 stands for 2⁶⁴
	var all []visited.Claimant
	number := int64(0)
	for _, s := range x.workers {
		s.each(func(key print, _ []uint32) {
			if width == 0 || key.A/width == stretch {
				all = append(all, visited.Claimant{Key: key, Number: number})
			}
			number++
		})
	}
	slices.SortFunc(all, func(a, b visited.Claimant) int {
		return cmp.Or(fingerprint.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
	})
	return all
}

// drop removes the states that are known from what a searcher found, whose first has a number,
// and returns the number of the first behind it.
func (s *searcher) drop(known []uint64, number int64) int64 {
	kept := s.next.Beside()
	s.each(func(key print, v []uint32) {
		if known[number/64]>>(number%64)&1 == 0 {
			must(kept.Add(key, v))
		}
		number++
	})
	s.next.Close()
	s.next = kept
	return number
}

// closeLayers closes the files of layers.
func (x *explorer) closeLayers() {
	x.layer.Close()
	for _, s := range x.workers {
		s.next.Close()
	}
}
