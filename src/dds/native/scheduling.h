#pragma once

#include <pthread.h>
#include <sys/types.h>

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

}  // namespace hlc
