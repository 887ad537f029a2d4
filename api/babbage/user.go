package babbage

import _ "embed" // the script below

// UserScript tells a viewer that nobody is signed in. Without it a viewer does not begin.
//
//go:embed user.js
var UserScript []byte

// User is what a viewer is told of who looks at it.
type User struct {
	Authenticated bool                `json:"authenticated"`
	Providers     map[string]Provider `json:"providers"`
}

// Provider is where somebody could sign in: nowhere.
type Provider struct {
	URL *string `json:"url"`
}

// Nobody is who looks at a viewer of fiscube. A viewer reads the address of the one provider it knows.
func Nobody() User { return User{Providers: map[string]Provider{"google": {}}} }
