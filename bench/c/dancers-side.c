/*
 * The least side of a DANCERS run: answers each BEGIN at once with the next of a few ENDs, in turn,
 * until the coordinator disconnects it, and reports how many it received in a second.
 *
 *   --socket=…      path of the local socket of the coordinator
 *   --answers=…     file with the frames of the ENDs
 *   --skip=500      BEGINs at the beginning that do not count: warming up
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "options.h"
#include "program.h"

static int connect_to(const char *path) {
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  if (strlen(path) >= sizeof address.sun_path) fail("%s is too long", path);
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
    fail("no connection to %s", path);
  return fd;
}

static size_t read_file(const char *path, uint8_t *bytes, size_t most) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail("%s cannot be read", path);
  size_t size = fread(bytes, 1, most, file);
  fclose(file);
  return size;
}

/* A frame is the length (big endian) of a message, and the message. */
static size_t frame_size(const uint8_t *frame) {
  uint32_t length;
  memcpy(&length, frame, sizeof length);
  return sizeof length + ntohl(length);
}

/* Reads a frame and drops it; false at the end. */
static bool read_frame(int fd) {
  static uint8_t frame[1 << 16];
  const size_t head = sizeof(uint32_t);
  if (recv(fd, frame, head, MSG_WAITALL) != (ssize_t)head) return false;
  size_t size = frame_size(frame);
  if (size > sizeof frame) fail("a frame has %zu bytes", size);
  return size == head || recv(fd, frame + head, size - head, MSG_WAITALL) == (ssize_t)(size - head);
}

int main(int argc, char **argv) {
  int64_t skip = integer_option(argc, argv, "--skip", 0);
  static uint8_t answers[1 << 16];
  size_t size = read_file(text_option(argc, argv, "--answers"), answers, sizeof answers);
  int fd = connect_to(text_option(argc, argv, "--socket"));
  int64_t steps = 0, counted_from = 0, last = 0;
  size_t next = 0;
  while (read_frame(fd)) {
    last = steady_ns();
    if (steps++ == skip) counted_from = last;
    /* After a CLOSE the coordinator reads nothing. */
    size_t length = frame_size(answers + next);
    if (next + length > size) fail("a frame of the answers is not complete");
    if (send(fd, answers + next, length, MSG_NOSIGNAL) != (ssize_t)length) break;
    next = next + length == size ? 0 : next + length;
  }
  double seconds = (last - counted_from) / 1e9;
  printf("{\"steps\":%" PRId64 ",\"per_second\":%.1f}\n", steps,
         steps > skip + 1 ? (steps - skip - 1) / seconds : 0);
  close(fd);
  return 0;
}
