#include "scheduling.h"

#include <dirent.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

namespace hlc {

namespace {

/** Threads of the DDS library that bring samples in or acknowledge them, by the first letters. */
constexpr const char* receive_threads[] = {"recv", "dq.", "tev"};

/** What a thread makes after this runs as usual: workers, the log, the compiler. */
constexpr int policy = SCHED_FIFO | SCHED_RESET_ON_FORK;

constexpr auto longest_wait_for_names = std::chrono::seconds(1);

std::string name_of(pid_t thread) {
  std::string name;
  std::getline(std::ifstream("/proc/self/task/" + std::to_string(thread) + "/comm"), name);
  return name;
}

bool receives(pid_t thread) {
  const std::string name = name_of(thread);
  return std::any_of(std::begin(receive_threads), std::end(receive_threads),
                     [&](const char* start) { return name.rfind(start, 0) == 0; });
}

/** Threads of Node and of V8 have the name of the first one where they do not name themselves. */
bool works_for_javascript(pid_t thread) {
  const std::string name = name_of(thread);
  if (name == "V8Worker" || name == "libuv-worker") return true;
  return thread != getpid() && name == name_of(getpid());
}

bool belongs_to(Threads threads, pid_t thread) {
  switch (threads) {
    case Threads::samples:
      return receives(thread) || name_of(thread) == pacer_thread_name;
    case Threads::workers:
      return works_for_javascript(thread);
    case Threads::all:
      return true;
  }
  return false;
}

/**
 * Keeps mapped memory from being paged out, page by page as it comes into use, where its line in
 * proc_pid_maps(5) has one of these texts.
 * @return 0, or the error number of the first mapping that the system refused; it goes on with the others.
 */
int lock_mappings(std::initializer_list<const char*> texts) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  int refused = 0;
  while (std::getline(maps, line)) {
    const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
    if (std::none_of(texts.begin(), texts.end(), has)) continue;
    size_t dash = 0;
    const uintptr_t from = std::stoull(line, &dash, 16);
    const uintptr_t to = std::stoull(line.substr(dash + 1), nullptr, 16);
    // A limit on locked memory shows as ENOMEM.
    const int result = mlock2(reinterpret_cast<void*>(from), to - from, MLOCK_ONFAULT);
    if (result != 0 && refused == 0) refused = errno;
  }
  return refused;
}

/** sched_setattr(2), version 0; glibc before 2.41 does not have it. */
struct SchedulingAttributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t niceness;
  uint32_t priority;
  uint64_t slice_ns;
  uint64_t deadline_ns;
  uint64_t period_ns;
};

}  // namespace

std::vector<pid_t> thread_ids() {
  std::vector<pid_t> found;
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return found;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] != '.') found.push_back(static_cast<pid_t>(std::atoi(task->d_name)));
  }
  closedir(tasks);
  std::sort(found.begin(), found.end());
  return found;
}

void wait_for_names(const std::vector<pid_t>& threads) {
  const std::string unnamed = name_of(gettid());
  const auto end = std::chrono::steady_clock::now() + longest_wait_for_names;
  const auto is_unnamed = [&](pid_t thread) { return name_of(thread) == unnamed; };
  while (std::any_of(threads.begin(), threads.end(), is_unnamed) &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

int make_realtime(int priority, const std::vector<pthread_t>& pacers) {
  sched_param high{};
  high.sched_priority = priority;
  sched_param lower{};
  lower.sched_priority = std::max(1, priority - 1);
  for (const pthread_t pacer : pacers) {
    if (const int error = pthread_setschedparam(pacer, policy, &high)) return error;
  }
  if (const int error = pthread_setschedparam(pthread_self(), policy, &lower)) return error;
  for (const pid_t thread : thread_ids()) {
    // One that has ended meanwhile needs nothing.
    if (receives(thread) && sched_setscheduler(thread, policy, &lower) != 0 && errno != ESRCH) return errno;
  }
  // Not the heap of V8, which ends the process when it cannot give locked memory back; only swapping could
  // take that out.
  return lock_mappings({" /", "[heap]", "[stack]"});
}

// Not the stack: below the limit on locked memory, one that is locked could not grow.
void lock_files() { lock_mappings({" /"}); }

void share_cores(Threads threads, bool batch, int niceness, uint64_t slice_ns) {
  SchedulingAttributes attributes{};
  attributes.size = sizeof attributes;
  attributes.policy = batch ? SCHED_BATCH : SCHED_OTHER;
  attributes.slice_ns = slice_ns;
  for (const pid_t thread : thread_ids()) {
    if (!belongs_to(threads, thread) || sched_getscheduler(thread) != SCHED_OTHER) continue;
    attributes.niceness = std::max(niceness, getpriority(PRIO_PROCESS, thread));
    syscall(SYS_sched_setattr, thread, &attributes, 0);
  }
}

}  // namespace hlc
