package traces

import "fmt"

// String is the cost for people; of none it is empty.
func (c *Cost) String() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s: %d", c.Name, c.Number)
}
