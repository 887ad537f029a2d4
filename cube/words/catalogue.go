package words

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"fiscube/cube"
)

//go:embed locales/*.toml
var embedded embed.FS

// catalogues are the texts in all languages.
type catalogues struct {
	languages []cube.Language
	speakers  map[cube.Language]*i18n.Localizer
	params    map[string][]string // of each message, in the order in which English has them
}

var spoken atomic.Pointer[catalogues]

func init() {
	files, err := fs.Sub(embedded, "locales")
	if err == nil {
		err = Bring(files)
	}
	if err != nil {
		panic(err) // the tests read the same files
	}
}

// Bring adds the catalogues of a folder to those that are embedded. One of a language that is there already says its messages anew. A
// message that English does not have is an error, and so is one with other parameters.
func Bring(more fs.FS) error {
	own, err := fs.Sub(embedded, "locales")
	if err != nil {
		return err
	}
	read, err := readAll(own, more)
	if err == nil {
		spoken.Store(read)
	}
	return err
}

// readAll reads the catalogues of some folders, of which the first has English.
func readAll(folders ...fs.FS) (*catalogues, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	c := &catalogues{speakers: map[cube.Language]*i18n.Localizer{}, params: map[string][]string{}}
	for _, folder := range folders {
		names, err := fs.Glob(folder, "*.toml")
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
		for _, name := range names {
			if err := c.read(bundle, folder, name); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	slices.Sort(c.languages)
	c.languages = slices.Compact(c.languages)
	for _, l := range c.languages {
		c.speakers[l] = i18n.NewLocalizer(bundle, string(l))
	}
	return c, nil
}

// rank puts English first, which the others are held against.
func rank(name string) int {
	if languageOf(name) == cube.English {
		return 0
	}
	return 1
}

func languageOf(name string) cube.Language {
	return cube.Language(strings.TrimSuffix(path.Base(name), ".toml"))
}

// read reads the catalogue of one language.
func (c *catalogues) read(bundle *i18n.Bundle, folder fs.FS, name string) error {
	l := languageOf(name)
	if base, err := language.ParseBase(string(l)); err != nil || base.String() != string(l) {
		return errors.New("the name of a catalogue is that of its language, such as fr.toml")
	}
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return err
	}
	file, err := i18n.ParseMessageFileBytes(text, name, map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
	if err != nil {
		return err
	}
	for _, m := range file.Messages {
		if err := c.check(m, l == cube.English && !slices.Contains(c.languages, l)); err != nil {
			return fmt.Errorf("%s: %w", m.ID, err)
		}
	}
	c.languages = append(c.languages, l)
	return bundle.AddMessages(file.Tag, file.Messages...)
}

// check holds a message against that of English, which the first catalogue declares.
func (c *catalogues) check(m *i18n.Message, declares bool) error {
	if m.Other == "" {
		return errors.New("the form “other” is empty")
	}
	if m.LeftDelim+m.RightDelim != "" {
		return errors.New("parameters stand between {{ and }}")
	}
	other, err := paramsOf(m.Other)
	if err != nil {
		return err
	}
	if declares {
		c.params[m.ID] = other
	}
	want, known := c.params[m.ID]
	if !known {
		return errors.New("there is no such message in English")
	}
	if !sameNames(other, want) {
		return fmt.Errorf("it has the parameters %q, and in English %q", other, want)
	}
	for _, form := range []string{m.Zero, m.One, m.Two, m.Few, m.Many} {
		params, err := paramsOf(form)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(params, func(p string) bool { return !slices.Contains(want, p) }); i >= 0 {
			return fmt.Errorf("it has the parameter %q, and in English it has %q", params[i], want)
		}
	}
	return nil
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// Has tells whether there is a message.
func Has(id string) bool {
	_, ok := spoken.Load().params[id]
	return ok
}

// Parameters lists the parameters of a message, in the order in which English has them.
func Parameters(id string) []string { return spoken.Load().params[id] }

// Languages lists the languages in which there are texts.
func Languages() []cube.Language { return slices.Clone(spoken.Load().languages) }

// IsLanguage tells whether there are texts in a language.
func IsLanguage(l cube.Language) bool { return slices.Contains(spoken.Load().languages, l) }

// Match gives the language that fits best to those that somebody reads, the best first. It is English where none does.
func Match(read []language.Tag) cube.Language {
	all := spoken.Load().languages
	tags := []language.Tag{language.English}
	for _, l := range all {
		tags = append(tags, language.Make(string(l)))
	}
	_, i, _ := language.NewMatcher(tags).Match(read...)
	if i == 0 {
		return cube.English
	}
	return all[i-1]
}
