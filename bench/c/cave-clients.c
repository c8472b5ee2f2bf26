/*
 * Clients of a CAVE server, each with a socket of its own: they send packets of vehicles, evenly spread
 * over each interval, and measure how long the answers take. An answer is the whole world, in one
 * datagram or several; the last of them is not full.
 *
 *   --port=8082  --clients=60  --elements=4  --rate-hz=50
 *   --skip=50    packets of each client at the beginning that do not count: warming up
 *   --packets=200  packets of each client that count
 */
#define _GNU_SOURCE /* epoll_pwait2 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cave.h"
#include "distribution.h"
#include "options.h"
#include "program.h"

static const int64_t ns_per_s = 1000000000;
static const int64_t last_answers_ns = 500000000;
/* A vehicle takes less: a datagram that is longer is full. */
enum { full_datagram = longest_datagram - 500, most_pending = 1024, most_events = 64 };

typedef struct {
  int fd;
  int32_t number;
  int64_t sent, answered;
  /* When the packets that are not answered yet were sent. */
  int64_t sent_at[most_pending];
} Client;

typedef struct {
  int64_t elements, skip;
  Distribution answers;
} Measured;

static struct sockaddr_in server_address(int64_t port) {
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static int socket_to(const struct sockaddr_in *address, int type) {
  int fd = socket(AF_INET, type, 0);
  if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof *address) < 0)
    fail("no connection to port %d", ntohs(address->sin_port));
  return fd;
}

static int32_t handshake(const struct sockaddr_in *address) {
  int fd = socket_to(address, SOCK_STREAM);
  uint8_t code = cave_request, answer[5];
  if (send(fd, &code, 1, MSG_NOSIGNAL) != 1 ||
      recv(fd, answer, sizeof answer, MSG_WAITALL) != (ssize_t)sizeof answer || answer[0] != cave_accept)
    fail("the server declined");
  close(fd);
  return answer[1] | answer[2] << 8 | answer[3] << 16 | answer[4] << 24;
}

static void send_packet(Client *client, const Measured *measured, double interval) {
  uint8_t packet[longest_datagram], vehicle[1024];
  uint8_t *at = packet;
  *at++ = cave_packet;
  *at++ = 1 << 3;
  at = put_varint(at, (uint64_t)client->number);
  for (int32_t id = 0; id < measured->elements; id++) {
    uint8_t *end = put_vehicle(vehicle, client->number, id, (client->sent + 1) * interval);
    *at++ = 2 << 3 | 2;
    at = put_varint(at, (uint64_t)(end - vehicle));
    for (uint8_t *from = vehicle; from < end; from++) *at++ = *from;
  }
  client->sent_at[client->sent % most_pending] = steady_ns();
  if (send(client->fd, packet, (size_t)(at - packet), 0) != at - packet) fail("a packet was not sent");
  client->sent++;
}

static void receive(Client *client, Measured *measured) {
  static uint8_t datagram[65536];
  ssize_t size;
  while ((size = recv(client->fd, datagram, sizeof datagram, MSG_DONTWAIT)) > 0) {
    if (datagram[0] != cave_packet || size > full_datagram) continue;
    /* The first packet registers the client and has no answer. */
    int64_t of = ++client->answered;
    if (of > measured->skip)
      add_duration(&measured->answers, steady_ns() - client->sent_at[of % most_pending]);
  }
}

int main(int argc, char **argv) {
  int64_t count = integer_option(argc, argv, "--clients", 60);
  int64_t rate_hz = integer_option(argc, argv, "--rate-hz", 50);
  Measured measured = { .elements = integer_option(argc, argv, "--elements", 4),
                        .skip = integer_option(argc, argv, "--skip", 50) };
  int64_t packets = measured.skip + integer_option(argc, argv, "--packets", 200);
  struct sockaddr_in address = server_address(integer_option(argc, argv, "--port", 8082));
  Client *clients = calloc((size_t)count, sizeof *clients);
  int epoll = epoll_create1(0);
  for (int64_t i = 0; i < count; i++) {
    clients[i].number = handshake(&address);
    clients[i].fd = socket_to(&address, SOCK_DGRAM);
    int wanted = 4 << 20;
    setsockopt(clients[i].fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = &clients[i] };
    epoll_ctl(epoll, EPOLL_CTL_ADD, clients[i].fd, &event);
  }
  int64_t begun = steady_ns(), total = count * packets, spacing = ns_per_s / rate_hz / count;
  int64_t next = 0, end = begun + total * spacing + last_answers_ns;
  int64_t late = 0;
  while (steady_ns() < end) {
    int64_t now = steady_ns();
    if (next < total && now >= begun + next * spacing) {
      if (now - begun - next * spacing > late) late = now - begun - next * spacing;
      send_packet(&clients[next % count], &measured, 1.0 / rate_hz);
      next++;
    }
    int64_t wait = next < total ? begun + next * spacing - steady_ns() : ns_per_s / 100;
    struct timespec timeout = { 0, wait > 0 ? wait : 0 };
    struct epoll_event events[most_events];
    int ready = epoll_pwait2(epoll, events, most_events, &timeout, NULL);
    for (int i = 0; i < ready; i++) receive(events[i].data.ptr, &measured);
  }
  int64_t missing = 0;
  for (int64_t i = 0; i < count; i++) missing += clients[i].sent - 1 - clients[i].answered;
  printf("{\"sent\":%" PRId64 ",\"unanswered\":%" PRId64 ",\"sent_late_us\":%.1f,", total, missing,
         late / 1e3);
  print_distribution("answer_us", &measured.answers);
  printf("}\n");
  return 0;
}
