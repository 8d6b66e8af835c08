package conform

import (
	"reflect"

	"contend/model"
)

// typeOfField returns the type of a field that values of a type have in logs: a field of the struct, or of its view.
func typeOfField(t reflect.Type, name string) (reflect.Type, bool) {
	if f, ok := t.FieldByName(name); ok && f.IsExported() {
		return f.Type, true
	}
	if v, ok := reflect.New(t).Interface().(model.Viewed); ok {
		if view := reflect.TypeOf(v.View()); view != nil && view.Kind() == reflect.Struct {
			if f, ok := view.FieldByName(name); ok && f.IsExported() {
				return f.Type, true
			}
		}
	}
	return nil, false
}

// fieldValue returns a field of a value: of the struct, or of its view.
func fieldValue(v any, name string) any {
	if name == whole {
		return v
	}
	if f := reflect.Indirect(reflect.ValueOf(v)).FieldByName(name); f.IsValid() {
		return f.Interface()
	}
	return reflect.ValueOf(v.(model.Viewed).View()).FieldByName(name).Interface()
}
