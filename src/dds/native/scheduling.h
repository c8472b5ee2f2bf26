#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace hlc {

/** As the pacers name themselves. */
inline constexpr const char* pacer_thread_name = "hlc-pacer";

/** The ids of the threads of this process, in rising order. */
std::vector<pid_t> thread_ids();

/**
 * Waits until these threads, which the calling one has made, have named themselves, at most 1 s. Until a thread
 * first runs it has the name of its maker.
 */
void wait_for_names(const std::vector<pid_t>& threads);

/**
 * Puts the calling thread, the pacers and the receive threads of the DDS library under SCHED_FIFO,
 * and keeps its programs and the heap of C from being paged out. The pacers get the priority, the others
 * one less where there is one. Threads that are made later run as usual.
 * @param priority 1 to 99
 * @return 0, or the error number of what the system refused; what was done before stays.
 */
int make_realtime(int priority, const std::vector<pthread_t>& pacers);

/**
 * Keeps what this process has mapped from files from being dropped, page by page as it comes into use. What the
 * system refuses stays as it is.
 */
void lock_files();

/** Threads of this process. The numbers are those of `native.ts`. */
enum class Threads : int32_t {
  all = 0,
  /** The pacers, and the threads of the DDS library that bring samples in. */
  samples = 1,
  /** Those that work for the JavaScript thread: garbage collection, compiler, files, log. */
  workers = 2,
};

/**
 * Sets how these threads, where they run under SCHED_OTHER, share the cores with others; threads that they make
 * later inherit it. What the system refuses stays as it is.
 * @param batch true: SCHED_BATCH, a waking thread preempts none; false: SCHED_OTHER
 * @param niceness a thread that has a higher one keeps it
 * @param slice_ns time slice, 100 µs to 100 ms. From Linux 6.12 on a waking thread with a shorter one
 *   preempts at once; an older kernel ignores it.
 */
void share_cores(Threads threads, bool batch, int niceness, uint64_t slice_ns);

}  // namespace hlc
