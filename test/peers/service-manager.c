/* Stands in for systemd: takes the messages of sd_notify(3) on a socket of its own.
 * Usage: service-manager <path, or @name of the abstract namespace>; writes a line "listening", and
 * then each message as a line. */

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const size_t length = strlen(argv[1]);
  if (length >= sizeof address.sun_path) return 2;
  memcpy(address.sun_path, argv[1], length);
  const int abstract = argv[1][0] == '@';
  if (abstract) address.sun_path[0] = 0;
  const socklen_t bytes =
      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (abstract ? 0 : 1));
  const int manager = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (manager < 0 || bind(manager, (struct sockaddr*)&address, bytes) != 0) {
    perror("service-manager");
    return 1;
  }
  puts("listening");
  fflush(stdout);
  for (;;) {
    char message[4096];
    const ssize_t size = recv(manager, message, sizeof message, 0);
    if (size < 0) return 1;
    printf("%.*s\n", (int)size, message);
    fflush(stdout);
  }
}
