package command

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// tokenFlags say which token a server asks for, or a command shows. Nothing ever prints it.
type tokenFlags struct{ token, file string }

func (t *tokenFlags) addFlags(flags *pflag.FlagSet, usage string) {
	flags.StringVar(&t.token, "token", "", usage)
	flags.StringVar(&t.file, "token-file", "", "the file that holds the token")
}

// leastToken is how many characters keep a token from being guessed.
const leastToken = 16

// read gives the token, "" where none was given.
func (t *tokenFlags) read() (string, error) {
	token := t.token
	switch {
	case t.file == "":
	case t.token != "":
		return "", usageError{errors.New("give --token or --token-file, not both")}
	default:
		content, err := os.ReadFile(t.file)
		if err != nil {
			return "", fmt.Errorf("read the token: %w", err)
		}
		if token = strings.TrimSpace(string(content)); token == "" {
			return "", fmt.Errorf("the token file %s is empty", t.file)
		}
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", usageError{errors.New("a token is made of letters, digits and signs of ASCII, without spaces")}
	}
	return token, nil
}

// checkSecret refuses a token that is no secret.
func checkSecret(token string) error {
	if len(token) < leastToken {
		return usageError{fmt.Errorf("a token of less than %d characters can be guessed: make one with openssl rand -hex 24", leastToken)}
	}
	return nil
}
