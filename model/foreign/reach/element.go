package reach

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"contend/model/foreign/dump"
)

// A Spot is the field or element at a path.
type Spot struct {
	Is   reflect.Value // can be set
	back func()        // unless nil, stores Is in the map from which it was copied: elements of maps have no address
}

// InMap reports whether the spot is in an element of a map. It has no address then, and only Set changes it.
func (s Spot) InMap() bool { return s.back != nil }

// Set changes the spot to a value of its type.
func (s Spot) Set(to reflect.Value) {
	if s.Is.Set(to); s.back != nil {
		s.back()
	}
}

// search finds a spot step by step. The error names the first step that fails.
func search(object any, path string) (s Spot, err error) {
	s.Is = reflect.ValueOf(object)
	prefix := ""
	for _, step := range Steps(path) {
		for s.Is.Kind() == reflect.Pointer || s.Is.Kind() == reflect.Interface {
			s = Spot{Is: s.Is.Elem()}
		}
		if strings.HasPrefix(step, "[") {
			s, err = s.element(step)
		} else {
			s, err = s.field(step)
		}
		if err != nil {
			if prefix == "" {
				prefix = "it"
			}
			return s, fmt.Errorf("%T has no field %s: %s %w", object, path, prefix, err)
		}
		prefix = strings.TrimPrefix(prefix+"."+step, ".")
		prefix = strings.ReplaceAll(prefix, ".[", "[")
	}
	return s, nil
}

// Steps splits a path at dots and before brackets, but not within brackets. Keys that are strings are quoted.
func Steps(path string) (all []string) {
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

// closing returns the index after the bracket that closes the first one; -1 if there is none.
func closing(path string) int {
	for i := 1; i < len(path); i++ {
		quoted, _ := strconv.QuotedPrefix(path[i:]) // "" if no quoted text begins here
		i += len(quoted)
		if i < len(path) && path[i] == ']' {
			return i + 1
		}
	}
	return -1
}

// field returns a field of a struct.
func (s Spot) field(name string) (Spot, error) {
	if s.Is.Kind() != reflect.Struct {
		return s, fmt.Errorf("%s, which has no fields", kindOf(s.Is))
	}
	f := s.Is.FieldByName(name)
	if !f.IsValid() || !f.CanAddr() {
		return s, fmt.Errorf("%s, which has no %s that can be set", kindOf(s.Is), name)
	}
	return Spot{reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(), s.back}, nil
}

// element returns an element of a slice or an array by index, or of a map by its key in dumps.
func (s Spot) element(step string) (Spot, error) {
	key, closed := strings.CutSuffix(step[1:], "]")
	switch {
	case !closed:
		return s, fmt.Errorf("is followed by a bracket that is not closed")
	case key == "":
		return s, fmt.Errorf("is followed by [], which names no single element")
	}
	switch s.Is.Kind() {
	case reflect.Slice, reflect.Array:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= s.Is.Len() {
			return s, fmt.Errorf("has no element %s, but those from 0 to below %d", key, s.Is.Len())
		}
		if s.Is.Kind() == reflect.Slice {
			s.back = nil
		}
		return Spot{s.Is.Index(i), s.back}, nil
	case reflect.Map:
		var keys []string
		for it := s.Is.MapRange(); it.Next(); {
			if keys = append(keys, dump.Key(it.Key())); keys[len(keys)-1] == key {
				m, k, own := s.Is, it.Key(), reflect.New(s.Is.Type().Elem()).Elem()
				own.Set(it.Value())
				return Spot{own, func() { m.SetMapIndex(k, own) }}, nil
			}
		}
		return s, fmt.Errorf("has no key %s; its keys are %s", key, someOf(keys))
	}
	return s, fmt.Errorf("%s, which has no elements", kindOf(s.Is))
}

func kindOf(v reflect.Value) string {
	if !v.IsValid() {
		return "is nil"
	}
	return "is a " + v.Type().String()
}

// someOf lists the first keys.
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
