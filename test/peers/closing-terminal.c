/*
 * A terminal that is closed under a running program, as tmux and a terminal window do it.
 * Usage: closing-terminal COMMAND ARGUMENT... Runs the command as the leader of a session on a
 * terminal of its own, and throws away what it writes. SIGUSR1 closes the terminal: the kernel sends
 * SIGHUP to the command, and whatever it writes from then on fails with EIO. SIGTERM is passed on to
 * the command. Ends as the command does, with its exit code or by its signal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t closing;
static volatile sig_atomic_t terminating;

static void on_signal(int signal_number) {
  if (signal_number == SIGUSR1) closing = 1;
  if (signal_number == SIGTERM) terminating = 1;
}

/* Ends as the command did; its core dump is enough. */
static int end_as(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(WTERMSIG(status), SIG_DFL);
  kill(getpid(), WTERMSIG(status));
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct winsize size = {.ws_row = 50, .ws_col = 120};
  int terminal;
  pid_t command = forkpty(&terminal, NULL, NULL, &size);
  if (command < 0) return 2;
  if (command == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigset_t waiting, blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, &waiting);
  struct pollfd readable = {.fd = terminal, .events = POLLIN};
  while (!closing) {
    char ignored[4096];
    if (terminating) {
      kill(command, SIGTERM);
      terminating = 0;
    }
    if (ppoll(&readable, 1, NULL, &waiting) < 0 && errno == EINTR) continue;
    /* The command ended, or closed its side. */
    if (read(terminal, ignored, sizeof ignored) <= 0) break;
  }
  close(terminal);
  int status = 0;
  while (waitpid(command, &status, 0) < 0 && errno == EINTR) continue;
  return end_as(status);
}
