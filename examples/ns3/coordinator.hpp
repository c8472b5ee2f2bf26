// The connection of a side of DANCERS to its coordinator: frames, gzip and messages.

#pragma once

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "dancers.pb.h"

/** A message as DANCERS sends it: in gzip, but nothing when it is empty. */
template <typename Message> std::string pack(const Message &message) {
  std::string bytes;
  if (message.ByteSizeLong() == 0)
    return bytes;
  google::protobuf::io::StringOutputStream out(&bytes);
  google::protobuf::io::GzipOutputStream gzip(&out);
  message.SerializeToZeroCopyStream(&gzip);
  gzip.Close();
  return bytes;
}

/** @throws std::runtime_error for bytes that are no gzip of such a message. */
template <typename Message> Message unpack(const std::string &bytes) {
  Message message;
  google::protobuf::io::ArrayInputStream in(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::GzipInputStream gzip(&in);
  if (!bytes.empty() && !message.ParseFromZeroCopyStream(&gzip))
    throw std::runtime_error("the coordinator sent another message");
  return message;
}

/** Its functions throw std::runtime_error when the coordinator is absent, gone or breaks a rule. */
class Coordinator {
public:
  /** @param path of the local socket on which the coordinator listens */
  explicit Coordinator(const std::string &path) {
    sockaddr_un address{AF_UNIX, {}};
    if (path.size() >= sizeof address.sun_path)
      throw std::runtime_error("the path of the socket is too long");
    path.copy(address.sun_path, path.size());
    connect_to(address, path);
  }

  /** @param ip address of the coordinator, IPv4 */
  Coordinator(const std::string &ip, uint16_t port) {
    sockaddr_in address{AF_INET, htons(port), {}, {}};
    if (inet_pton(AF_INET, ip.c_str(), &address.sin_addr) != 1)
      throw std::runtime_error(ip + " is no IPv4 address");
    connect_to(address, ip);
    const int no_delay = 1;
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay);
  }

  Coordinator(const Coordinator &) = delete;
  Coordinator &operator=(const Coordinator &) = delete;
  ~Coordinator() { close(peer); }

  dancers_update_proto::DancersUpdate receive() {
    // A frame: its length (big endian), then its content.
    uint32_t length = 0;
    receive(&length, sizeof length);
    if (ntohl(length) > most_bytes)
      throw std::runtime_error("a frame is too long");
    std::string content(ntohl(length), '\0');
    receive(content.data(), content.size());
    return unpack<dancers_update_proto::DancersUpdate>(content);
  }

  /** @param payload of END: a packed message */
  void answer(const std::string &payload) {
    dancers_update_proto::DancersUpdate end;
    end.set_msg_type(dancers_update_proto::DancersUpdate::END);
    end.set_payload(payload);
    const std::string content = pack(end);
    const uint32_t length = htonl(content.size());
    std::string frame(reinterpret_cast<const char *>(&length), sizeof length);
    frame += content; // in one write: the original reads each part with a single call
    if (send(peer, frame.data(), frame.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(frame.size()))
      throw std::runtime_error("the coordinator has gone");
  }

private:
  static constexpr uint32_t most_bytes = 64 << 20;

  /** As the connectors of DANCERS: 20 tries, 500 ms apart. */
  template <typename Address> void connect_to(const Address &address, const std::string &name) {
    const auto *generic = reinterpret_cast<const sockaddr *>(&address);
    for (int tries = 0; tries < 20; tries++) {
      peer = socket(generic->sa_family, SOCK_STREAM, 0);
      if (connect(peer, generic, sizeof address) == 0)
        return;
      close(peer);
      usleep(500'000);
    }
    throw std::runtime_error("no coordinator listens at " + name);
  }

  void receive(void *data, size_t count) {
    if (count > 0 && recv(peer, data, count, MSG_WAITALL) != static_cast<ssize_t>(count))
      throw std::runtime_error("the coordinator has gone");
  }

  int peer = -1;
};
