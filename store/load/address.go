package load

import (
	"fmt"
	"net/netip"
	"slices"
	"syscall"
)

// notPublic lists the addresses that lead into a network rather than to the public, by the registries of
// special-purpose addresses (RFC 6890): a package from anywhere must not make us ask there.
var notPublic = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // shared by the customers of a provider
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local, where clouds keep their credentials
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // 6to4 relays
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, and broadcast
	"2001::/23",       // protocol assignments, Teredo among them
	"2001:db8::/32",   // documentation
	"2002::/16",       // 6to4, which holds an IPv4 address
	"3fff::/20",       // documentation
)

var (
	globalIPv6 = netip.MustParsePrefix("2000::/3")     // all that is assigned to the public
	nat64      = netip.MustParsePrefix("64:ff9b::/96") // an IPv4 address in its last four bytes
)

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// isPublic tells whether an address is one of the public internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if nat64.Contains(a) {
		bytes := a.As16()
		a = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	if a.Is6() && !globalIPv6.Contains(a) {
		return false
	}
	return a.IsValid() && !slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}

// errNotPublic says which host was refused. It does not say by which address: what a private name resolves to
// is nothing to tell the sender of a package.
type errNotPublic struct{}

// Error implements error.
func (errNotPublic) Error() string {
	return "its address is private or local, and such are only read with --allow-private"
}

// onlyPublic is called with every address that is about to be dialled. By then names are resolved, so that a
// name cannot be public when it is looked at and private when it is dialled.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	where, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("dial %s: %w", address, err)
	}
	if !isPublic(where.Addr()) {
		return errNotPublic{}
	}
	return nil
}
