package e2e

import (
	"testing"

	"fiscube/seeds"
)

// The reports of the seeds are told in each language, with the same findings of the same kinds.
func TestReport_IsToldInEveryLanguage(t *testing.T) {
	s := seeded.onDuckDB(t)
	type finding struct{ Code, Field, Message, Kind, KindText string }
	told := 0
	for _, seed := range seeds.All() {
		name := seed.Name
		reports := map[string][]finding{}
		for _, lang := range []string{"en", "es", "hr"} {
			var report struct {
				Findings []struct {
					Code, Field, Message, Kind string
					KindText                   string `json:"kind_text"`
				}
			}
			s.read(t, "/cubes/"+name+"/report?lang="+lang, &report)
			for _, f := range report.Findings {
				reports[lang] = append(reports[lang], finding{f.Code, f.Field, f.Message, f.Kind, f.KindText})
			}
		}
		for i, english := range reports["en"] {
			spanish, croatian := reports["es"][i], reports["hr"][i]
			if english.Code != spanish.Code || english.Kind != croatian.Kind || english.Kind == "" ||
				english.Message == spanish.Message || spanish.Message == croatian.Message || english.Message == croatian.Message ||
				english.KindText == spanish.KindText || spanish.KindText == croatian.KindText {
				t.Errorf("%s\n%+v\n%+v\n%+v", name, english, spanish, croatian)
			}
			told++
		}
	}
	if told == 0 {
		t.Error("the seeds have no findings")
	}
}
