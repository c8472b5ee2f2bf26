/*
 * A bad network between two network namespaces, in user space: many kernels come without netem.
 * Usage: link-emulator NAMESPACE DEVICE NAMESPACE DEVICE SEED. Makes an Ethernet device (TAP) in
 * each namespace and carries frames between the two. Writes "ready" when both exist. Each line of
 * the standard input changes the link, in both directions alike:
 *   loss P          drops this part of the frames, 0 to 1; ARP is left alone unless all are dropped
 *   delay MS JITTER delivers each frame after a time of its own from MS to MS + JITTER milliseconds,
 *                   so that frames overtake each other when JITTER is above 0
 *   stats           writes "carried N dropped N reordered N" to the standard output
 * What it draws depends on SEED and on the order of the frames alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { most_held = 65536, most_frame = 65536, ethertype_arp = 0x0806 };

struct frame {
  int64_t due_ns;
  uint64_t number;
  int to;
  size_t size;
  unsigned char *octets;
};

static struct frame *held[most_held];
static size_t held_count;
static double loss;
static double delay_ms, jitter_ms;
static unsigned long carried, dropped, reordered;
static uint64_t last_delivered[2];

static uint64_t draw_state;

/** Uniform in [0, 1): SplitMix64 (Steele, Lea, Flood 2014). */
static double draw(void) {
  uint64_t z = (draw_state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static void fail(const char *what) {
  fprintf(stderr, "link-emulator: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/** A TAP device in a namespace; it stays there while this process lives, wherever that goes. */
static int open_device(const char *namespace, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "/var/run/netns/%s", namespace);
  const int there = open(path, O_RDONLY | O_CLOEXEC);
  if (there < 0) fail(path);
  if (setns(there, CLONE_NEWNET) != 0) fail("setns");
  close(there);
  const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) fail("/dev/net/tun");
  struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI };
  strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
  if (ioctl(device, TUNSETIFF, &request) != 0) fail("TUNSETIFF");
  return device;
}

static bool before(const struct frame *a, const struct frame *b) {
  return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->number < b->number;
}

static void hold(struct frame *frame) {
  size_t at = held_count++;
  for (; at > 0 && before(frame, held[(at - 1) / 2]); at = (at - 1) / 2) held[at] = held[(at - 1) / 2];
  held[at] = frame;
}

static struct frame *release(void) {
  struct frame *first = held[0], *last = held[--held_count];
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= held_count) break;
    if (child + 1 < held_count && before(held[child + 1], held[child])) child++;
    if (!before(held[child], last)) break;
    held[at] = held[child];
    at = child;
  }
  held[at] = last;
  return first;
}

static void deliver(const int devices[2], struct frame *frame) {
  if (frame->number < last_delivered[frame->to]) reordered++;
  else last_delivered[frame->to] = frame->number;
  /* A device that is down, or full, loses the frame. */
  if (write(devices[frame->to], frame->octets, frame->size) == (ssize_t)frame->size) carried++;
  else dropped++;
  free(frame->octets);
  free(frame);
}

static void take(const int devices[2], int from) {
  static unsigned char octets[most_frame];
  static uint64_t frames;
  for (;;) {
    const ssize_t size = read(devices[from], octets, sizeof octets);
    if (size <= 14) return;
    const bool arp = (octets[12] << 8 | octets[13]) == ethertype_arp;
    const bool lost = draw() < loss;
    if ((lost && (!arp || loss >= 1)) || held_count == most_held) {
      dropped++;
      continue;
    }
    struct frame *frame = malloc(sizeof *frame);
    *frame = (struct frame){
      .due_ns = now_ns() + (int64_t)((delay_ms + draw() * jitter_ms) * 1e6),
      .number = ++frames,
      .to = 1 - from,
      .size = (size_t)size,
      .octets = malloc((size_t)size),
    };
    memcpy(frame->octets, octets, (size_t)size);
    if (delay_ms + jitter_ms == 0) deliver(devices, frame);
    else hold(frame);
  }
}

static void obey(const char *line) {
  if (sscanf(line, "loss %lf", &loss) == 1) return;
  if (sscanf(line, "delay %lf %lf", &delay_ms, &jitter_ms) == 2) return;
  if (strncmp(line, "stats", 5) == 0) {
    printf("carried %lu dropped %lu reordered %lu\n", carried, dropped, reordered);
    fflush(stdout);
  }
}

/** False at the end of the input. */
static bool read_orders(void) {
  static char text[4096];
  static size_t filled;
  const ssize_t got = read(STDIN_FILENO, text + filled, sizeof text - 1 - filled);
  if (got <= 0) return false;
  filled += (size_t)got;
  text[filled] = '\0';
  char *line = text, *end;
  while ((end = strchr(line, '\n')) != NULL) {
    *end = '\0';
    obey(line);
    line = end + 1;
  }
  filled -= (size_t)(line - text);
  memmove(text, line, filled);
  return true;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  draw_state = strtoull(argv[5], NULL, 10);
  const int devices[2] = { open_device(argv[1], argv[2]), open_device(argv[3], argv[4]) };
  puts("ready");
  fflush(stdout);
  struct pollfd watched[3] = {
    { .fd = devices[0], .events = POLLIN },
    { .fd = devices[1], .events = POLLIN },
    { .fd = STDIN_FILENO, .events = POLLIN },
  };
  for (;;) {
    struct timespec wait, *longest = NULL;
    if (held_count > 0) {
      const int64_t left = held[0]->due_ns - now_ns();
      wait = (struct timespec){ .tv_sec = left > 0 ? left / 1000000000 : 0,
                                .tv_nsec = left > 0 ? left % 1000000000 : 0 };
      longest = &wait;
    }
    if (ppoll(watched, 3, longest, NULL) < 0 && errno != EINTR) fail("poll");
    for (int i = 0; i < 2; i++) {
      if (watched[i].revents & POLLIN) take(devices, i);
    }
    while (held_count > 0 && held[0]->due_ns <= now_ns()) deliver(devices, release());
    if (watched[2].revents != 0 && !read_orders()) return 0;
  }
}
