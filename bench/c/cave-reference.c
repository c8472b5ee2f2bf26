/*
 * The least CAVE server: gives out connection numbers, keeps the newest bytes of each vehicle in the
 * packets of the world, and answers each packet but the first of a client with these packets. It
 * trusts its clients.
 *
 *   --port=8082
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cave.h"
#include "options.h"
#include "program.h"

enum { most_clients = 256, most_ids = 16, most_packets = 16 };

/* The code of a packet and its connection number -1. */
static const uint8_t packet_head[] = { cave_packet, 8,    0xff, 0xff, 0xff, 0xff,
                                       0xff,        0xff, 0xff, 0xff, 0xff, 1 };

static struct {
  uint8_t bytes[longest_datagram];
  size_t size;
} packets[most_packets];
static size_t packet_count = 1;

static struct {
  double ch_time;
  uint8_t *place;
} vehicles[most_clients][most_ids];

static bool registered[most_clients];

static int listening(int64_t port, int type) {
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, type, 0), on = 1, wanted = 4 << 20;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("the port is taken");
  if (type == SOCK_STREAM) listen(fd, 16);
  return fd;
}

static void accept_client(int tcp) {
  static uint32_t next;
  uint8_t request, answer[5] = { cave_accept };
  int fd = accept(tcp, NULL, NULL);
  if (fd < 0) return;
  if (recv(fd, &request, 1, 0) == 1 && request == cave_request) {
    for (int i = 0; i < 4; i++) answer[1 + i] = (uint8_t)(next >> 8 * i);
    next++;
    if (send(fd, answer, sizeof answer, MSG_NOSIGNAL) < 0) fail("a number was not sent");
  }
  close(fd);
}

/* Keeps a vehicle: tag, length and message stand at `from`, `size` bytes. */
static void keep(const uint8_t *from, size_t size, uint64_t client, uint64_t id, double ch_time) {
  if (client >= most_clients || id >= most_ids) return;
  if (vehicles[client][id].place == NULL) {
    if (packets[packet_count - 1].size + size > longest_datagram) packet_count++;
    if (packet_count > most_packets) fail("the world is too large");
    uint8_t *bytes = packets[packet_count - 1].bytes;
    size_t *filled = &packets[packet_count - 1].size;
    if (*filled == 0) {
      memcpy(bytes, packet_head, sizeof packet_head);
      *filled = sizeof packet_head;
    }
    vehicles[client][id].place = bytes + *filled;
    *filled += size;
  } else if (ch_time <= vehicles[client][id].ch_time) {
    return;
  }
  vehicles[client][id].ch_time = ch_time;
  memcpy(vehicles[client][id].place, from, size);
}

/* Reads the connection number, the id and the chTime of a vehicle. */
static void read_vehicle(const uint8_t *from, const uint8_t *message, const uint8_t *end) {
  uint64_t numbers[4] = { 0 }, key;
  double ch_time = 0;
  for (const uint8_t *at = message; at != NULL && at < end;) {
    at = get_varint(at, end, &key);
    if (at == NULL || key >> 3 > 4) break;
    if ((key & 7) == 0) {
      at = get_varint(at, end, &numbers[key >> 3 & 3]);
    } else {
      memcpy(&ch_time, at, sizeof ch_time);
      at += sizeof ch_time;
    }
  }
  keep(from, (size_t)(end - from), numbers[2], numbers[3], ch_time);
}

static void serve(int udp) {
  static uint8_t datagram[65536];
  struct sockaddr_in client;
  socklen_t length = sizeof client;
  ssize_t size = recvfrom(udp, datagram, sizeof datagram, 0, (struct sockaddr *)&client, &length);
  if (size < 2 || datagram[0] != cave_packet) return;
  const uint8_t *end = datagram + size;
  uint64_t key, value, number = 0;
  for (const uint8_t *at = datagram + 1; at != NULL && at < end;) {
    const uint8_t *from = at;
    at = get_varint(at, end, &key);
    if (at != NULL) at = get_varint(at, end, &value);
    if (at == NULL) return;
    if (key == 1 << 3) number = value;
    if (key != (2 << 3 | 2)) continue;
    read_vehicle(from, at, at + value);
    at += value;
  }
  if (number >= most_clients || !registered[number]) {
    if (number < most_clients) registered[number] = true;
    return;
  }
  for (size_t i = 0; i < packet_count; i++)
    sendto(udp, packets[i].bytes, packets[i].size, 0, (struct sockaddr *)&client, length);
}

int main(int argc, char **argv) {
  end_on_signals();
  int64_t port = integer_option(argc, argv, "--port", 8082);
  struct pollfd sockets[] = { { .fd = listening(port, SOCK_STREAM), .events = POLLIN },
                              { .fd = listening(port, SOCK_DGRAM), .events = POLLIN } };
  printf("CAVE clients are served\n");
  fflush(stdout);
  while (running) {
    if (poll(sockets, 2, 100) <= 0) continue;
    if (sockets[0].revents != 0) accept_client(sockets[0].fd);
    if (sockets[1].revents != 0) serve(sockets[1].fd);
  }
  return 0;
}
