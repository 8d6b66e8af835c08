package traces

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"contend/model"
)

// A Config is a [model.Config] in the form that a trace stores: a JSON object. Its keys are the names of the
// protocol's parameters and of the fields of type shared. Only the protocol knows its parameters and their
// ranges, so [contend/traces/replay.Replay] checks these.
type Config struct {
	Settings []model.Setting // in the order in which MarshalJSON writes them
	Network  model.NetworkModel
	Drift    int
	Faults   model.Faults
	Beyond   bool
}

// configOf returns the Config for a configuration of p. Parameters that have their default value are omitted.
func configOf(p *model.Protocol, c model.Config) Config {
	return Config{Settings: p.Settings(c), Network: c.Network, Drift: c.Drift, Faults: c.Faults, Beyond: c.Beyond}
}

// Model returns the configuration as a [model.Config].
func (c Config) Model() model.Config {
	return model.Config{Network: c.Network, Drift: c.Drift, Faults: c.Faults, Beyond: c.Beyond}.With(c.Settings...)
}

// shared has the keys that every protocol has.
type shared struct {
	Network model.NetworkModel `json:"network,omitempty"`
	Drift   int                `json:"drift,omitempty"`
	Faults  model.Faults       `json:"faults,omitzero"`
	Beyond  bool               `json:"beyondBounds,omitempty"`
}

// MarshalJSON encodes the parameters first, in their order, and then the shared keys.
func (c Config) MarshalJSON() ([]byte, error) {
	rest, _ := json.Marshal(shared{c.Network, c.Drift, c.Faults, c.Beyond}) // cannot fail: ints, a string and a bool
	out := []byte{'{'}
	for _, s := range c.Settings {
		out = fmt.Appendf(out, "%q:%d,", s.Name, s.Value)
	}
	if rest = rest[1:]; len(rest) == 1 { // no shared key is set
		out = bytes.TrimSuffix(out, []byte{','})
	}
	return append(out, rest...), nil
}

// UnmarshalJSON decodes a JSON object. A key that is not shared must be a parameter with an integer value. A
// key that occurs twice is an error.
func (c *Config) UnmarshalJSON(data []byte) error {
	*c = Config{}
	d, seen := json.NewDecoder(bytes.NewReader(data)), map[string]bool{}
	if open, _ := d.Token(); open != json.Delim('{') { // no error: data is valid JSON
		return fmt.Errorf("config is missing or not an object")
	}
	for d.More() {
		key, _ := d.Token() // no error, for the same reason
		name, _ := key.(string)
		var raw json.RawMessage
		_ = d.Decode(&raw) // no error, for the same reason
		if seen[name] {
			return fmt.Errorf("config: %.60q is there twice", name)
		}
		seen[name] = true
		if err := c.read(name, raw); err != nil {
			return err
		}
	}
	return nil
}

// read decodes the value of one key.
func (c *Config) read(name string, raw json.RawMessage) error {
	switch name {
	case "network":
		return readShared(name, raw, "a string", &c.Network)
	case "drift":
		return readShared(name, raw, "a whole number", &c.Drift)
	case "faults":
		return readShared(name, raw, "an object of known faults, each with a whole number", &c.Faults)
	case "beyondBounds":
		return readShared(name, raw, "true or false", &c.Beyond)
	}
	if !model.ParamName.MatchString(name) {
		return fmt.Errorf("field %.60q is not known", name)
	}
	v, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return fmt.Errorf("config: %s is %.40s, but must be a whole number", name, raw)
	}
	c.Settings = append(c.Settings, model.Setting{Name: name, Value: v})
	return nil
}

func readShared(name string, raw json.RawMessage, kind string, into any) error {
	if strictly(raw, into) != nil || isNull(raw) {
		return fmt.Errorf("config: %s is %.40s, but must be %s", name, raw, kind)
	}
	return nil
}

// validate returns an error if a parameter's name is invalid or occurs twice.
func (c Config) validate() error {
	seen := map[string]bool{}
	for _, s := range c.Settings {
		if !model.ParamName.MatchString(s.Name) || seen[s.Name] {
			return fmt.Errorf("config: a parameter is named %.60q, but needs a name of its own, of lower-case letters, digits and dashes", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

// String returns the settings that are not zero, as "name=value" with the names of the flags.
func (c Config) String() string {
	var out []string
	for _, s := range c.Settings {
		out = append(out, fmt.Sprintf("%s=%d", s.Name, s.Value))
	}
	for _, f := range []struct {
		name string
		is   int
	}{
		{"drift", c.Drift}, {"loss", c.Faults.Loss}, {"duplication", c.Faults.Duplication},
		{"crashes", c.Faults.Crashes}, {"restarts", c.Faults.Restarts},
		{"suspicions", c.Faults.Suspicions}, {"partitions", c.Faults.Partitions},
	} {
		if f.is != 0 {
			out = append(out, fmt.Sprintf("%s=%d", f.name, f.is))
		}
	}
	if c.Network != "" {
		out = append(out, fmt.Sprintf("network=%s", c.Network))
	}
	if c.Beyond {
		out = append(out, "beyond bounds")
	}
	return strings.Join(out, " ")
}
