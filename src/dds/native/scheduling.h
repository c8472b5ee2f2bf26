#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace hlc {

/** The ids of the threads of this process, in rising order. */
std::vector<pid_t> thread_ids();

/**
 * Puts the calling thread, the pacers and the receive threads of the DDS library under SCHED_FIFO,
 * and keeps its programs and the heap of C from being paged out. The pacers get the priority, the others
 * one less where there is one. Threads that are made later run as usual.
 * @param priority 1 to 99
 * @param library threads that were made while domains were opened; they have their names by the end of
 *   this call, by which the receive threads are found
 * @return 0, or the error number of what the system refused; what was done before stays.
 */
int make_realtime(int priority, const std::vector<pthread_t>& pacers,
                  const std::vector<pid_t>& library);

/**
 * Sets how the threads of this process that run under SCHED_OTHER share the cores with other programs;
 * threads that they make later inherit it. What the system refuses stays as it is.
 * @param batch true: SCHED_BATCH, a waking thread preempts none; false: SCHED_OTHER
 * @param niceness a thread that has a higher one keeps it
 * @param slice_ns time slice, 100 µs to 100 ms. From Linux 6.12 on a waking thread with a shorter one
 *   preempts at once; an older kernel ignores it.
 */
void share_cores(bool batch, int niceness, uint64_t slice_ns);

}  // namespace hlc
