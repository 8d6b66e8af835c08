package portable

import (
	"contend/checker/search/absorb"
	"contend/checker/search/step"
)

// Facts writes what an absorber has learned behind what out holds. The caller sees to it that nobody adds
// components meanwhile.
func (w *Writer) Facts(out []byte, facts []absorb.Fact) []byte {
	w.begin(out)
	for _, f := range facts {
		w.out = append(w.out, byte(f.Is))
		w.local(f.State)
		if f.Is != absorb.Held {
			w.local(f.Other)
		}
		if f.Is != absorb.GoesTo {
			w.base(f.Trigger)
		}
	}
	return w.out
}

// ReadFacts reads what Facts wrote into the store of an engine that nobody else uses meanwhile.
func ReadFacts(in []byte, e *step.Engine) (facts []absorb.Fact, err error) {
	defer caught(&err)
	r := &reader{e: e, in: in}
	for len(r.in) > 0 {
		f := absorb.Fact{Is: absorb.Sort(r.bytes(1)[0])}
		if f.Is > absorb.Called {
			damaged("%d is no sort of fact", f.Is)
		}
		f.State = r.local()
		if f.Is != absorb.Held {
			f.Other = r.local()
		}
		if f.Is != absorb.GoesTo {
			f.Trigger = r.base()
		}
		facts = append(facts, f)
	}
	return facts, nil
}
