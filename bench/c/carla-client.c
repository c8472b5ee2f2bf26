/*
 * A synchronous client of a CARLA 0.8 server on raw sockets: answers each frame at once with the same
 * Control, until the server disconnects it, and reports how far apart the frames were.
 *
 *   --port=2000     the world port
 *   --skip=500      frames at the beginning that do not count: warming up
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "distribution.h"
#include "options.h"
#include "program.h"

/* Frames of a length (little endian) and a message; a Control with steer 0.25, throttle 0.5. */
static const uint8_t request[] = { 17, 0, 0, 0, 0x0a, 15, '[', 'C', 'A', 'R', 'L', 'A', '/',
                                   'S', 'e', 'r', 'v', 'e', 'r', ']', '\n' };
static const uint8_t first_start_spot[] = { 0, 0, 0, 0 };
static const uint8_t control[] = { 10, 0, 0, 0, 0x0d, 0, 0, 0x80, 0x3e, 0x15, 0, 0, 0, 0x3f };

static int connect_to(int64_t port) {
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
    fail("no connection to port %" PRId64, port);
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

static bool write_all(int fd, const uint8_t *bytes, size_t size) {
  return send(fd, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

/* Reads a frame and drops its message; false when the server has disconnected. */
static bool read_frame(int fd, uint32_t *length) {
  static uint8_t message[1 << 20];
  uint8_t head[4];
  if (recv(fd, head, sizeof head, MSG_WAITALL) != (ssize_t)sizeof head) return false;
  *length = head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16 | (uint32_t)head[3] << 24;
  if (*length > sizeof message) fail("a frame has %" PRIu32 " bytes", *length);
  return *length == 0 || recv(fd, message, *length, MSG_WAITALL) == (ssize_t)*length;
}

int main(int argc, char **argv) {
  int64_t port = integer_option(argc, argv, "--port", 2000);
  int64_t skip = integer_option(argc, argv, "--skip", 0);
  uint32_t length = 0;
  int world = connect_to(port);
  bool is_ready = write_all(world, request, sizeof request) && read_frame(world, &length) &&
                  write_all(world, first_start_spot, sizeof first_start_spot) &&
                  read_frame(world, &length);
  if (!is_ready) fail("the server began no episode");
  int measurements = connect_to(port + 1);
  int controls = connect_to(port + 2);

  Distribution steps = { 0 };
  int64_t frames = 0, counted_from = 0, last = 0;
  /* Measurements, then an empty frame: there are no sensors. */
  while (read_frame(measurements, &length) && read_frame(measurements, &length)) {
    int64_t now = steady_ns();
    if (frames == skip) counted_from = now;
    if (frames > skip) add_duration(&steps, now - last);
    last = now;
    frames++;
    if (!write_all(controls, control, sizeof control)) break;
  }
  double seconds = (last - counted_from) / 1e9;
  printf("{\"frames\":%" PRId64 ",\"per_second\":%.1f,", frames,
         frames > skip + 1 ? (frames - skip - 1) / seconds : 0);
  print_distribution("step_us", &steps);
  printf("}\n");
  close(world);
  return 0;
}
