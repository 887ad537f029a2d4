package describe

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube/fdp"
	"fiscube/store/load/files"
)

// script is an encoding whose letters are not Latin. What is most frequent in its texts tells it from the others that give letters of
// the same script: ñóììà of Windows-1251 is сумма there, ЯСЛЛЮ in KOI8 and ёєььр in CP866.
type script struct {
	encoding string
	of       []*unicode.RangeTable
	pairs    map[string]bool // frequent pairs of letters; nil where a character is more than a letter
	chars    string          // frequent characters
}

var scripts = slices.Concat(
	alphabets(unicode.Cyrillic, cyrillicPairs, fdp.Windows1251, fdp.KOI8U, fdp.CodePage866, fdp.ISOCyrillic),
	alphabets(unicode.Greek, "αι αν από αρ γι δα εί ει εκ εν ερ ες ησ θε ια ικ ισ κα κε κο λο μα με μο να ντ οι ολ ον ορ ος ου πα περ πο πρ ρα ρο σε ση στ τα τη το τι υπ ων", fdp.Windows1253, fdp.ISOGreek),
	alphabets(unicode.Hebrew, "ים ות של את על וה הת המ הח הש הכ לי רי די יה ית ני מי אר בי ול ור שנ נה קו וד סע עי תח חו ום סו וג תק קצ צי יב הו וצ צא אה נס מש שר רד סכ כו קט קי פר", fdp.Windows1255),
	alphabets(unicode.Arabic, "ال لم لا لت لع لس لي ية ات في من ها وا ان ار را يا ين ير يم عل مو نا مي", fdp.Windows1256),
	[]script{
		{encoding: fdp.ShiftJIS, of: japanese, chars: japaneseChars},
		{encoding: fdp.EUCJP, of: japanese, chars: japaneseChars},
		{encoding: fdp.GB18030, of: []*unicode.RangeTable{unicode.Han}, chars: "的一在不了有和人中大为上个国以要用生到地出分对成会主发年能下过方后多定行学法所民经三等部度家力理小物实加量体制机点业本应合其前外政四社事平全表与各重新内数利比第条结建月公无通提项目算预收入支财局府费款税补贴教育卫医疗院障住房农林水交运资源保护环境科技文化安服务单位区市县省街道办管总计额元万非增值企金基建设名称编码专转移其他拨"},
		{encoding: fdp.Big5, of: []*unicode.RangeTable{unicode.Han}, chars: "的一在不了有和人中大為上個國以要用生到地出分對成會主發年能下過方後多定行學法所民經三等部度家力理小物實加量體制機點業本應合其前外政四社事平全表與各重新內數利比第條結建月公無通提項目算預收入支財局府費款稅補貼教育衛醫療院障住房農林水交運資源保護環境科技文化安服務單位區市縣省街道辦管總計額元萬非增值企金基建設名稱編碼專轉移其他撥處歲課"},
		{encoding: fdp.EUCKR, of: []*unicode.RangeTable{unicode.Hangul}, chars: "이다의는에가을고사지기정산예금비원시도년수부세입출계업관행보인자재대교육국민리공방회일반전용체조직위문화서성제주경소장군구청과건복"},
	},
)

var japanese = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}

const (
	japaneseChars = "のにはをるたとがしてでなもいかられすアイスントリルーラクシ予算歳入出年度支金額費税款項目一般会計事業収市町村県国民生教育衛土木農林水産商工総務公債債交付地方特別合計名科"
	cyrillicPairs = "ст но то на ен ов ни ра во ко ро по пр ре не ва ла ли ос от та го ер ел ль ан ат ия ка да де за ти те ск нн ий ії ть ів ви ди ми ме об ор ол он ом од об ра зо ва ње ња је ње ја ци ит ит ин ив ис ло су ум ма ку ул ьт ур до ох хо дж бю юд же ет ви тр ту уп"
)

func alphabets(of *unicode.RangeTable, pairs string, encodings ...string) (list []script) {
	for _, encoding := range encodings {
		list = append(list, script{encoding: encoding, of: []*unicode.RangeTable{of}, pairs: setOf(pairs)})
	}
	return list
}

// neutral are signs that stand in texts of every script. Those of East Asia are told by their blocks.
const neutral = "«»„“”‘’‚–—…№°§©®·•€£¥×\u00a0"

// finals are letters that only end words.
const finals = "ςךםןףץ"

func isNeutral(r rune) bool {
	return strings.ContainsRune(neutral, r) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff65
}

// fit says how well a text fits a script: 1 for letters alone, and as much more as are frequent. What no text has counts against: an upper
// case letter behind a lower case one, two scripts in one word, a letter that only ends words within one, controls and lines of boxes.
func (s *script) fit(text string) (score float64, found, all int64) {
	var points float64
	before, pair := ' ', make([]byte, 0, 2*utf8.UTFMax)
	for at, r := range text {
		last := before
		before = r
		after, _ := utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):])
		if begins := r == '’' && !unicode.IsLetter(last) && unicode.IsLetter(after); r < utf8.RuneSelf || isNeutral(r) && !begins {
			continue
		}
		all++
		isMixed := last < utf8.RuneSelf && unicode.IsLower(last) || after < utf8.RuneSelf && unicode.IsLower(after) || s.pairs != nil && isASCIILetter(last, after)
		if isMixed || !unicode.In(r, s.of...) || !unicode.IsLetter(r) && r != 'ー' {
			points--
			continue
		}
		found++
		points++
		pair = utf8.AppendRune(utf8.AppendRune(pair[:0], unicode.ToLower(last)), unicode.ToLower(r))
		switch {
		case s.pairs != nil && (unicode.IsLower(last) && unicode.IsUpper(r) || strings.ContainsRune(finals, r) && unicode.IsLetter(after)):
			points--
		case s.pairs[string(pair)], s.pairs == nil && strings.ContainsRune(s.chars, r):
			points++
		}
	}
	return points / float64(max(1, all)), found, all
}

func isASCIILetter(runes ...rune) bool {
	return slices.ContainsFunc(runes, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) })
}

// What a script has to fit at least, and how near another comes that may be meant.
const (
	leastFit = 0.8
	nearFit  = 0.1
)

// guessScript gives the encoding of a script that lines beyond ASCII fit best; false where they fit none.
func guessScript(lines []byte) (encoding, bool) {
	best, near := encoding{}, ""
	var most, second float64
	var shown []byte
	for _, s := range scripts {
		text, bad := files.Decode(s.encoding, lines)
		if bad >= 0 {
			continue
		}
		switch score, found, all := s.fit(string(text)); {
		case score > most:
			near, second = best.name, most
			best = encoding{s.encoding, fmt.Sprintf("it is not UTF-8; %s of %s characters beyond ASCII are letters in %s", count(found), count(all), s.encoding)}
			most, shown = score, text
		case score > second && !bytes.Equal(text, shown):
			near, second = s.encoding, score
		}
	}
	if near != "" && second > most-nearFit {
		best.why += ", and read as " + near + " they are nearly as likely: look at the names"
	}
	return best, most >= leastFit
}
