#include "service-socket.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hlc {

ServiceSocket::ServiceSocket(std::string_view name) {
  const bool abstract = !name.empty() && name[0] == '@';
  const bool path = !name.empty() && name[0] == '/';
  // A path ends with a zero; a name of the abstract namespace begins with one.
  if (name.size() < 2 || (!abstract && !path) || name.size() >= sizeof address_.sun_path) {
    error_ = EINVAL;
    return;
  }
  address_.sun_family = AF_UNIX;
  std::memcpy(address_.sun_path, name.data(), name.size());
  if (abstract) address_.sun_path[0] = 0;
  address_bytes_ =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + (path ? 1 : 0));
  socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) error_ = errno;
}

ServiceSocket::~ServiceSocket() {
  if (socket_ >= 0) close(socket_);
}

int ServiceSocket::send(std::string_view message) const {
  if (socket_ < 0) return error_;
  const auto* address = reinterpret_cast<const sockaddr*>(&address_);
  const ssize_t sent = sendto(socket_, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                              address, address_bytes_);
  return sent < 0 ? errno : 0;
}

}  // namespace hlc
