package site

import (
	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"

	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// Reader is who reads a page.
type Reader struct{ words.Locale }

// readerOf gives the reader of a request: the parameter lang says the language, or else what the browser prefers. The region,
// by which numbers are written, is that which the browser names with the language. Where the parameters could not be read, a known language
// among them counts all the same.
func readerOf(c echo.Context, given map[string]string) (Reader, error) {
	if text := ParameterIn(c.Request().URL.RawQuery, "lang"); given == nil {
		if _, err := query.ParseLanguage(text); err == nil {
			given = map[string]string{"lang": text}
		}
	}
	tags, _, _ := language.ParseAcceptLanguage(c.Request().Header.Get("Accept-Language")) // one that cannot be read names none
	if text, ok := given["lang"]; ok {
		lang, err := request.Language(given)
		if err != nil {
			return newReader(cube.English, ""), err
		}
		return newReader(lang, regionOf(tags, text)), nil
	}
	lang := words.Match(tags)
	return newReader(lang, regionOf(tags, string(lang))), nil
}

// regionOf gives the region with which the browser names a language, or "".
func regionOf(tags []language.Tag, lang string) string {
	for _, tag := range tags {
		base, _ := tag.Base()
		if region, confidence := tag.Region(); base.String() == lang && confidence == language.Exact {
			return region.String()
		}
	}
	return ""
}

// ReaderOf gives the reader of a request that is no page, such as a form.
func ReaderOf(c echo.Context) Reader {
	reader, _ := readerOf(c, nil) // without parameters there is no mistake
	return reader
}

func newReader(lang cube.Language, region string) Reader {
	return Reader{words.Locale{Language: lang, Region: region}}
}
