package concurrent

import (
	"encoding/json"
	"os"

	"contend/checker/concurrent/litmus"
)

// programVariable is the environment variable with the program that a run is of.
const programVariable = "CONTEND_LITMUS"

// told begins what is told of a program that runs.
const litmusMark = "litmus"

func programOf(text string) (*litmus.Program, error) {
	p := &litmus.Program{}
	return p, json.Unmarshal([]byte(text), p)
}

func setProgram(p *litmus.Program) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.Setenv(programVariable, string(text))
}
