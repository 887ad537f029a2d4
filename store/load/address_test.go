package load

import (
	"net/netip"
	"testing"
)

func TestOnlyPublicAddressesAreDialled(t *testing.T) {
	tests := map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "172.15.255.255": true, "100.63.255.255": true, "192.169.0.1": true,
		"2606:2800:220:1:248:1893:25c8:1946": true, "64:ff9b::808:808": true, "::ffff:8.8.8.8": true,

		"127.0.0.1": false, "127.255.255.255": false, "10.1.2.3": false, "172.16.0.1": false, "172.31.255.255": false,
		"192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "100.127.255.255": false,
		"0.0.0.0": false, "0.1.2.3": false, "224.0.0.1": false, "239.255.255.255": false, "255.255.255.255": false,
		"240.0.0.1": false, "198.18.0.1": false, "192.0.2.1": false, "203.0.113.9": false,
		"::": false, "::1": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12::1": false,
		"fec0::1": false, "ff02::1": false, "2001:db8::1": false, "2002:7f00:1::": false, "2001::1": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b::a00:1": false, "64:ff9b:1::808:808": false,
	}
	for text, want := range tests {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is public: %v", text, got)
		}
	}
	if isPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestAddressesThatAreNoneAreNotDialled(t *testing.T) {
	for _, address := range []string{"", "example.org:80", "127.0.0.1", "[::1%lo]:80", "127.0.0.1:80"} {
		if onlyPublic("tcp", address, nil) == nil {
			t.Errorf("%q is dialled", address)
		}
	}
	if err := onlyPublic("tcp", "93.184.216.34:443", nil); err != nil {
		t.Error(err)
	}
}
