package babbage

import (
	"cmp"
	"encoding/json"
)

// object is a JSON object whose members have an order: a dashboard takes the first aggregate for the one to show.
type object []member

type member struct {
	name  string
	value any
}

func (o *object) add(name string, value any) { *o = append(*o, member{name, value}) }

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		name, badName := json.Marshal(m.name)
		value, badValue := json.Marshal(m.value)
		if err := cmp.Or(badName, badValue); err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}
