package foreign

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// A spot is where a path leads.
type spot struct {
	is   reflect.Value // may be set
	back func()        // unless nil, puts it back into the map from which it was copied: elements of a map have no address
}

func (s spot) set(to reflect.Value) {
	if s.is.Set(to); s.back != nil {
		s.back()
	}
}

// searched finds a field step by step, or says where there is none.
func searched(object any, path string) (s spot, err error) {
	s.is = reflect.ValueOf(object)
	at := ""
	for _, step := range stepsTo(path) {
		for s.is.Kind() == reflect.Pointer || s.is.Kind() == reflect.Interface {
			s = spot{is: s.is.Elem()}
		}
		if strings.HasPrefix(step, "[") {
			s, err = s.element(step)
		} else {
			s, err = s.field(step)
		}
		if err != nil {
			if at == "" {
				at = "it"
			}
			return s, fmt.Errorf("%T has no field %s: %s %w", object, path, at, err)
		}
		at = strings.TrimPrefix(at+"."+step, ".")
		at = strings.ReplaceAll(at, ".[", "[")
	}
	return s, nil
}

// stepsTo splits a path at dots and before brackets, but not within them: keys that are strings are quoted.
func stepsTo(path string) (all []string) {
	for path != "" {
		end := strings.IndexAny(path, ".[")
		if path[0] == '[' {
			end = closing(path)
		}
		if end < 0 {
			end = len(path)
		}
		all = append(all, path[:end])
		path = strings.TrimPrefix(path[end:], ".")
	}
	return all
}

// closing is the place behind the bracket that closes the first one; -1 if there is none.
func closing(path string) int {
	for i := 1; i < len(path); i++ {
		if quoted, err := strconv.QuotedPrefix(path[i:]); err == nil {
			i += len(quoted)
		}
		if i < len(path) && path[i] == ']' {
			return i + 1
		}
	}
	return -1
}

// field finds a field of a struct.
func (s spot) field(name string) (spot, error) {
	if s.is.Kind() != reflect.Struct {
		return s, fmt.Errorf("%s, which has no fields", kindOf(s.is))
	}
	f := s.is.FieldByName(name)
	if !f.IsValid() || !f.CanAddr() {
		return s, fmt.Errorf("%s, which has no %s that can be set", kindOf(s.is), name)
	}
	return spot{reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(), s.back}, nil
}

// element finds an element of a slice or an array by its index, and of a map by its key as dumps write it.
func (s spot) element(step string) (spot, error) {
	key, closed := strings.CutSuffix(step[1:], "]")
	switch {
	case !closed:
		return s, fmt.Errorf("is followed by a bracket that is not closed")
	case key == "":
		return s, fmt.Errorf("is followed by [], which names no single element")
	}
	switch s.is.Kind() {
	case reflect.Slice, reflect.Array:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= s.is.Len() {
			return s, fmt.Errorf("has no element %s, but those from 0 to below %d", key, s.is.Len())
		}
		if s.is.Kind() == reflect.Slice {
			s.back = nil
		}
		return spot{s.is.Index(i), s.back}, nil
	case reflect.Map:
		var keys []string
		for it := s.is.MapRange(); it.Next(); {
			if keys = append(keys, keyOf(it.Key())); keys[len(keys)-1] == key {
				m, k, own := s.is, it.Key(), reflect.New(s.is.Type().Elem()).Elem()
				own.Set(it.Value())
				return spot{own, func() { m.SetMapIndex(k, own) }}, nil
			}
		}
		return s, fmt.Errorf("has no key %s; its keys are %s", key, someOf(keys))
	}
	return s, fmt.Errorf("%s, which has no elements", kindOf(s.is))
}

func kindOf(v reflect.Value) string {
	if !v.IsValid() {
		return "is nil"
	}
	return "is a " + v.Type().String()
}

// someOf lists the first few of some keys.
func someOf(keys []string) string {
	const most = 5
	if len(keys) == 0 {
		return "none"
	}
	slices.Sort(keys)
	if len(keys) > most {
		keys = append(keys[:most], "…")
	}
	return strings.Join(keys, ", ")
}
