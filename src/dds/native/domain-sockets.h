#pragma once

#include <set>
#include <string>
#include <vector>

namespace hlc {

/** File descriptors of this process that are UDP sockets without a peer, as the DDS library has. */
std::set<int> unconnected_udp_sockets();

/** The addresses that these sockets are bound to, each once; "any address" is left out. */
std::vector<std::string> bound_addresses(const std::set<int>& sockets);

/**
 * Keeps the traffic of these sockets on this machine, whatever addresses it has: the kernel drops
 * what arrives on another interface than loopback, and sends on loopback only. Traffic between two
 * addresses of one machine passes through loopback. Needs no privilege.
 * @returns 0 or an errno; after an error some of the sockets may be as before.
 */
int keep_on_this_machine(const std::set<int>& sockets);

}  // namespace hlc
