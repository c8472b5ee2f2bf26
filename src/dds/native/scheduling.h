#pragma once

#include <pthread.h>

#include <vector>

namespace hlc {

/**
 * Puts the calling thread, the pacers and the receive threads of the DDS library under SCHED_FIFO,
 * and keeps its programs and the heap of C from being paged out. The pacers get the priority, the others
 * one less where there is one. Threads that are made later run as usual.
 * @param priority 1 to 99
 * @return 0, or the error number of what the system refused; what was done before stays.
 */
int make_realtime(int priority, const std::vector<pthread_t>& pacers);

}  // namespace hlc
