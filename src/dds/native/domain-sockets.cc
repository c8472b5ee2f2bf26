#include "domain-sockets.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace hlc {

namespace {

constexpr const char* loopback = "lo";

int option(int fd, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  return getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

bool is_unconnected_udp(int fd) {
  if (option(fd, SO_TYPE) != SOCK_DGRAM) return false;
  const int family = option(fd, SO_DOMAIN);
  if (family != AF_INET && family != AF_INET6) return false;
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  return getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 && errno == ENOTCONN;
}

/** The classic BPF program "accept what arrived on this interface, drop the rest". */
int receive_from(int fd, unsigned interface_index) {
  const auto index_offset = static_cast<uint32_t>(SKF_AD_OFF + SKF_AD_IFINDEX);
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, index_offset),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, interface_index, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  const sock_fprog filter = {sizeof program / sizeof program[0], program};
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0 ? 0 : errno;
}

int send_through(int fd, unsigned interface_index) {
  const bool ipv6 = option(fd, SO_DOMAIN) == AF_INET6;
  const uint32_t index = htonl(interface_index);
  const int level = ipv6 ? IPPROTO_IPV6 : IPPROTO_IP;
  const int name = ipv6 ? IPV6_UNICAST_IF : IP_UNICAST_IF;
  return setsockopt(fd, level, name, &index, sizeof index) == 0 ? 0 : errno;
}

}  // namespace

std::set<int> unconnected_udp_sockets() {
  std::set<int> sockets;
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return sockets;
  while (const dirent* entry = readdir(folder)) {
    char* end = nullptr;
    const long fd = std::strtol(entry->d_name, &end, 10);
    if (end == entry->d_name || *end != '\0') continue;
    if (is_unconnected_udp(static_cast<int>(fd))) sockets.insert(static_cast<int>(fd));
  }
  closedir(folder);
  return sockets;
}

std::vector<std::string> bound_addresses(const std::set<int>& sockets) {
  std::vector<std::string> addresses;
  for (const int fd : sockets) {
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0) continue;
    char text[INET6_ADDRSTRLEN] = "";
    bool any = true;
    if (own.ss_family == AF_INET) {
      const auto& address = reinterpret_cast<const sockaddr_in&>(own).sin_addr;
      any = address.s_addr == htonl(INADDR_ANY);
      inet_ntop(AF_INET, &address, text, sizeof text);
    } else if (own.ss_family == AF_INET6) {
      const auto& address = reinterpret_cast<const sockaddr_in6&>(own).sin6_addr;
      any = IN6_IS_ADDR_UNSPECIFIED(&address);
      inet_ntop(AF_INET6, &address, text, sizeof text);
    }
    const bool known = std::find(addresses.begin(), addresses.end(), text) != addresses.end();
    if (!any && !known) addresses.emplace_back(text);
  }
  return addresses;
}

int keep_on_this_machine(const std::set<int>& sockets) {
  const unsigned index = if_nametoindex(loopback);
  if (index == 0) return errno;
  for (const int fd : sockets) {
    if (const int error = receive_from(fd, index); error != 0) return error;
    if (const int error = send_through(fd, index); error != 0) return error;
  }
  return 0;
}

}  // namespace hlc
