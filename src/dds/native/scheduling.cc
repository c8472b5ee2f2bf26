#include "scheduling.h"

#include <dirent.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace hlc {

namespace {

/** Threads of the DDS library that bring samples in or acknowledge them, by the first letters. */
constexpr const char* receive_threads[] = {"recv", "dq.", "tev"};

/** What a thread makes after this runs as usual: workers, the log, the compiler. */
constexpr int policy = SCHED_FIFO | SCHED_RESET_ON_FORK;

std::string name_of(const std::string& task) {
  std::string name;
  std::getline(std::ifstream("/proc/self/task/" + task + "/comm"), name);
  return name;
}

bool receives(const std::string& name) {
  return std::any_of(std::begin(receive_threads), std::end(receive_threads),
                     [&](const char* start) { return name.rfind(start, 0) == 0; });
}

std::vector<pid_t> receivers() {
  std::vector<pid_t> found;
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return found;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] == '.' || !receives(name_of(task->d_name))) continue;
    found.push_back(static_cast<pid_t>(std::atoi(task->d_name)));
  }
  closedir(tasks);
  return found;
}

/**
 * Keeps what is mapped from files, the stack and the heap of C from being paged out, page by page as
 * they come into use. Not the heap of V8, which ends the process when it cannot give locked memory
 * back; only swapping could take that out.
 */
int lock_programs() {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    const bool of_file = line.find(" /") != std::string::npos;
    const bool of_c = line.find("[heap]") != std::string::npos ||
                      line.find("[stack]") != std::string::npos;
    if (!of_file && !of_c) continue;
    size_t dash = 0;
    const uintptr_t from = std::stoull(line, &dash, 16);
    const uintptr_t to = std::stoull(line.substr(dash + 1), nullptr, 16);
    // A limit on locked memory shows as ENOMEM.
    if (mlock2(reinterpret_cast<void*>(from), to - from, MLOCK_ONFAULT) != 0) return errno;
  }
  return 0;
}

}  // namespace

int make_realtime(int priority, const std::vector<pthread_t>& pacers) {
  sched_param high{};
  high.sched_priority = priority;
  sched_param lower{};
  lower.sched_priority = std::max(1, priority - 1);
  for (const pthread_t pacer : pacers) {
    if (const int error = pthread_setschedparam(pacer, policy, &high)) return error;
  }
  if (const int error = pthread_setschedparam(pthread_self(), policy, &lower)) return error;
  for (const pid_t thread : receivers()) {
    // One that has ended meanwhile needs nothing.
    if (sched_setscheduler(thread, policy, &lower) != 0 && errno != ESRCH) return errno;
  }
  return lock_programs();
}

}  // namespace hlc
