// Package redact keeps passwords out of messages and logs.
package redact

import (
	"log/slog"
	"regexp"
)

// userinfo is the name and password in an address: up to the last @ before a slash, or, as a password may have a slash that
// should have been escaped, after a colon up to any @.
var userinfo = regexp.MustCompile(`//(?:[^\s"/?#]*|[^\s"/?#@:]*:[^\s"]*)@`)

// parameter is a password among the parameters of an address or in a connection string.
var parameter = regexp.MustCompile(`(?i)\b(password|sslpassword|token)=('[^']*'|[^\s"&]*)`)

// Text takes the names and passwords out of the addresses in a text.
func Text(text string) string {
	return parameter.ReplaceAllString(userinfo.ReplaceAllString(text, "//***@"), "$1=***")
}

// Attr does so with an attribute of a log. It is made for slog.HandlerOptions.
func Attr(_ []string, a slog.Attr) slog.Attr {
	switch value := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(Text(value))
	case error:
		a.Value = slog.StringValue(Text(value.Error()))
	}
	return a
}
