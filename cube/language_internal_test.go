package cube

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var verb = regexp.MustCompile(`%.`)

// verbs lists the formats in a value by where they stand, with their verbs.
func verbs(v reflect.Value, at string) []string {
	switch v.Kind() {
	case reflect.String:
		return []string{at + ": " + strings.Join(verb.FindAllString(v.String(), -1), " ")}
	case reflect.Struct:
		var list []string
		for i := range v.NumField() {
			list = append(list, verbs(v.Field(i), at+"."+v.Type().Field(i).Name)...)
		}
		return list
	case reflect.Map:
		var list []string
		for _, key := range v.MapKeys() {
			list = append(list, verbs(v.MapIndex(key), fmt.Sprintf("%s[%v]", at, key))...)
		}
		slices.Sort(list)
		return list
	case reflect.Array:
		var list []string
		for i := range v.Len() {
			list = append(list, verbs(v.Index(i), fmt.Sprintf("%s[%d]", at, i))...)
		}
		return list
	}
	return nil
}

// Every text says the same in each language: what stands for something stands in each, in the same order.
func TestTextsOfEveryLanguageSayTheSame(t *testing.T) {
	for name, texts := range map[string]any{
		"citation": citationTexts, "warning": warningTexts, "compared": comparedTexts, "mixed": mixedTexts,
	} {
		table := reflect.ValueOf(texts)
		english := verbs(table.MapIndex(reflect.ValueOf(English)), name)
		if spanish := verbs(table.MapIndex(reflect.ValueOf(Spanish)), name); !slices.Equal(english, spanish) || len(english) == 0 {
			t.Errorf("in English %q\nin Spanish %q", english, spanish)
		}
	}
}
