#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <string_view>

namespace hlc {

/** The socket of the service manager, see sd_notify(3); sends without ever blocking. */
class ServiceSocket {
 public:
  /** @param name value of NOTIFY_SOCKET: a path, or a name of the abstract namespace after "@" */
  explicit ServiceSocket(std::string_view name);
  ~ServiceSocket();
  ServiceSocket(const ServiceSocket&) = delete;
  ServiceSocket& operator=(const ServiceSocket&) = delete;

  /** @return 0, or the error number of the system */
  int send(std::string_view message) const;

 private:
  int socket_ = -1;
  /** Why there is no socket. */
  int error_ = 0;
  sockaddr_un address_{};
  socklen_t address_bytes_ = 0;
};

}  // namespace hlc
