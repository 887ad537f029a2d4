package words

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"fiscube/cube"
	"fiscube/internal/each"
)

//go:embed locales/*.toml
var embedded embed.FS

// catalogues are the texts in all languages. A language is read when it is first spoken: to read all of them takes longer than most commands.
type catalogues struct {
	folders   []fs.FS // the first has English, and a later one says messages anew
	languages []cube.Language
	of        map[cube.Language]func() *catalogue
}

// catalogue are the texts in one language.
type catalogue struct {
	messages map[string]*i18n.Message
	onlyForm map[string]form // of each message that has only one, by its id: no plural is to be chosen
	speaker  *i18n.Localizer
	asked    sync.Map // the parameters of messages by their ids, as far as they were asked for
}

var spoken atomic.Pointer[catalogues]

func init() { spoken.Store(gather(own())) }

// own is the folder that is embedded.
func own() fs.FS {
	folder, err := fs.Sub(embedded, "locales")
	if err != nil {
		panic(err) // its name is no path
	}
	return folder
}

// gather finds the catalogues in some folders.
func gather(folders ...fs.FS) *catalogues {
	c := &catalogues{folders: folders, of: map[cube.Language]func() *catalogue{}}
	for _, folder := range folders {
		c.languages = append(c.languages, each.Of(filesOf(folder), languageOf)...)
	}
	slices.Sort(c.languages)
	c.languages = slices.Compact(c.languages)
	for _, l := range c.languages {
		c.of[l] = sync.OnceValue(func() *catalogue { return c.read(l) })
	}
	return c
}

// filesOf names the catalogues in a folder.
func filesOf(folder fs.FS) []string {
	names, _ := fs.Glob(folder, "*.toml") // the pattern is right, so there is no error
	return names
}

func languageOf(name string) cube.Language {
	return cube.Language(strings.TrimSuffix(path.Base(name), ".toml"))
}

// english are the texts that the others are held against.
func (c *catalogues) english() *catalogue { return c.of[cube.English]() }

// read reads a language. What it has no words for it says in English.
func (c *catalogues) read(l cube.Language) *catalogue {
	read := &catalogue{messages: map[string]*i18n.Message{}, onlyForm: map[string]form{}}
	bundle := i18n.NewBundle(language.English)
	if l != cube.English {
		addTo(bundle, cube.English, c.english().messages)
	}
	for _, folder := range c.folders {
		messages, err := messagesOf(folder, string(l)+".toml")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			panic(err) // the tests read what is embedded, and Bring has read what is not
		}
		for _, m := range messages {
			read.messages[m.ID] = m
		}
	}
	for id, m := range read.messages {
		if f, err := formOf(m.Other); err == nil && m.Other != "" && m.Zero+m.One+m.Two+m.Few+m.Many == "" {
			read.onlyForm[id] = f
		}
	}
	addTo(bundle, l, read.messages)
	read.speaker = i18n.NewLocalizer(bundle, string(l))
	return read
}

func addTo(bundle *i18n.Bundle, l cube.Language, messages map[string]*i18n.Message) {
	bundle.MustAddMessages(language.Make(string(l)), slices.Collect(maps.Values(messages))...)
}

// messagesOf reads a catalogue.
func messagesOf(folder fs.FS, name string) ([]*i18n.Message, error) {
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	file, err := i18n.ParseMessageFileBytes(text, name, map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
	if err != nil {
		return nil, err
	}
	return file.Messages, nil
}

// Bring adds the catalogues of a folder to those that are embedded. One of a language that is there already says its messages anew. A
// message that English does not have is an error, and so is one with other parameters.
func Bring(more fs.FS) error {
	embedded := gather(own())
	for _, name := range filesOf(more) {
		if err := embedded.check(more, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	all := gather(own(), more)
	for _, l := range all.languages {
		all.of[l]() // at once: the files of an operator may change
	}
	spoken.Store(all)
	return nil
}

// check reads a catalogue and holds it against English.
func (c *catalogues) check(folder fs.FS, name string) error {
	l := string(languageOf(name))
	if base, err := language.ParseBase(l); err != nil || base.String() != l {
		return errors.New("the name of a catalogue is that of its language, such as fr.toml")
	}
	messages, err := messagesOf(folder, name)
	if err != nil {
		return err
	}
	for _, m := range messages {
		if err := c.english().checkMessage(m); err != nil {
			return fmt.Errorf("%s: %w", m.ID, err)
		}
	}
	return i18n.NewBundle(language.English).AddMessages(language.Make(l), messages...) // its plural forms are known
}

// checkMessage holds a message against that of English.
func (c *catalogue) checkMessage(m *i18n.Message) error {
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
	if c.messages[m.ID] == nil {
		return errors.New("there is no such message in English")
	}
	want := c.params(m.ID)
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

// params lists the parameters of a message.
func (c *catalogue) params(id string) []string {
	if known, ok := c.asked.Load(id); ok {
		return known.([]string)
	}
	m := c.messages[id]
	if m == nil {
		return nil
	}
	params, _ := paramsOf(m.Other) // it was checked
	c.asked.Store(id, params)
	return params
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// Has tells whether there is a message.
func Has(id string) bool { return spoken.Load().english().messages[id] != nil }

// Parameters lists the parameters of a message, in the order in which English has them.
func Parameters(id string) []string { return spoken.Load().english().params(id) }

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
