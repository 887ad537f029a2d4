// Package redact keeps passwords out of messages and logs.
package redact

import (
	"log/slog"
	"regexp"
	"strings"
)

// userinfo is the name and password in an address: up to the last @ before a slash, or, as a password may have a slash that
// should have been escaped, after a colon up to any @.
var userinfo = regexp.MustCompile(`//(?:[^\s"/?#]*|[^\s"/?#@:]*:[^\s"]*)@`)

// quoted is an address in quotation marks, and quotedParameter a password among its parameters, also one with spaces.
var (
	quoted          = regexp.MustCompile(`"[A-Za-z][A-Za-z0-9+.-]*://[^"\n]*`)
	quotedParameter = regexp.MustCompile(`(?i)([?&](?:password|sslpassword|token)=)[^&]*`)
)

// parameter is a password among the parameters of an address or in a connection string. One outside quotation marks ends
// at a space.
var parameter = regexp.MustCompile(`(?i)\b(password|sslpassword|token)=('[^']*'|[^\s"&]*)`)

// withPassword begins like a name and password, and withPort like a host and its port.
var (
	withPassword = regexp.MustCompile(`^[^\n"/?#@:\[]*:[^\s/?#]`)
	withPort     = regexp.MustCompile(`^[^\n"/?#@:\[]*:[0-9]{1,5}(?:[^0-9A-Za-z@]|$)`)
)

// Text takes the names and passwords out of the addresses in a text.
func Text(text string) string {
	if !strings.Contains(text, "//") && !strings.Contains(text, "=") {
		return text
	}
	text = userinfo.ReplaceAllString(passwords(text), "//***@")
	text = quoted.ReplaceAllStringFunc(text, func(address string) string { return quotedParameter.ReplaceAllString(address, "$1***") })
	return parameter.ReplaceAllString(text, "$1=***")
}

// passwords takes out what userinfo does not find: names and passwords with characters that no address has, such as a
// space, and those of an address that was cut off. They may be as long as the line, up to another address.
func passwords(text string) string {
	pieces := strings.Split(text, "//")
	for i, piece := range pieces[1:] {
		if !withPassword.MatchString(piece) || withPort.MatchString(piece) {
			continue
		}
		line, _, _ := strings.Cut(piece, "\n")
		if end := strings.LastIndexByte(line, '@'); end >= 0 {
			pieces[i+1] = "***" + piece[end:]
		} else if end := strings.Index(line, "…"); end >= 0 {
			pieces[i+1] = "***" + piece[end:]
		}
	}
	return strings.Join(pieces, "//")
}

// secret is a parameter whose name is that of a secret. No question has one, but those who take a token for a parameter do.
var secret = regexp.MustCompile(`(?i)(^|[&;\n])([^&;=\n]*(?:token|secret|passw|bearer|authorization|api_?key)[^&;=\n]*)=[^&;\n]*`)

// Query takes the secrets out of the parameters of an address.
func Query(text string) string { return secret.ReplaceAllString(text, "$1$2=***") }

// Attr does so with an attribute of a log. It is made for slog.HandlerOptions.
func Attr(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(Text(a.Value.String()))
	case slog.KindAny:
		switch value := a.Value.Any().(type) {
		case error:
			a.Value = slog.StringValue(Text(value.Error()))
		case slog.Level:
			a.Value = slog.StringValue(value.String()) // as it is written anyway, but without reflection
		}
	}
	return a
}
