/*
 * What UDP over IPv4 passes a network interface, in both directions.
 * Usage: udp-capture DEVICE. Writes "ready", then a line for each datagram:
 *   SOURCE SOURCE-PORT DESTINATION DESTINATION-PORT
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { most_bytes = 65536, ip_header = 20, protocol_udp = 17 };

static void fail(const char *what) {
  fprintf(stderr, "udp-capture: %s: %s\n", what, strerror(errno));
  exit(1);
}

static unsigned port_at(const unsigned char *octets) {
  return (unsigned)octets[0] << 8 | octets[1];
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: udp-capture DEVICE\n");
    return 2;
  }
  const int capture = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL));
  if (capture < 0) fail("socket");
  struct sockaddr_ll device = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
  device.sll_ifindex = (int)if_nametoindex(argv[1]);
  if (device.sll_ifindex == 0) fail(argv[1]);
  if (bind(capture, (struct sockaddr *)&device, sizeof device) != 0) fail("bind");
  setvbuf(stdout, NULL, _IOLBF, 0);
  puts("ready");
  for (;;) {
    static unsigned char packet[most_bytes];
    struct sockaddr_ll from;
    socklen_t size = sizeof from;
    const ssize_t count =
        recvfrom(capture, packet, sizeof packet, 0, (struct sockaddr *)&from, &size);
    if (count < 0) fail("recvfrom");
    if (from.sll_protocol != htons(ETH_P_IP) || count < ip_header) continue;
    const ssize_t header = (packet[0] & 0xf) * 4;
    if (packet[9] != protocol_udp || count < header + 4) continue;
    char source[INET_ADDRSTRLEN], destination[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, packet + 12, source, sizeof source);
    inet_ntop(AF_INET, packet + 16, destination, sizeof destination);
    printf("%s %u %s %u\n", source, port_at(packet + header), destination,
           port_at(packet + header + 2));
  }
}
