#pragma once

#include <pthread.h>

namespace hlc {

/**
 * Puts the calling thread, the pacer and the receive threads of the DDS library under SCHED_FIFO,
 * and keeps its programs and the heap of C from being paged out. The pacer gets the priority, the others
 * one less where there is one. Threads that are made later run as usual.
 * @param priority 1 to 99
 * @return 0, or the error number of what the system refused; what was done before stays.
 */
int make_realtime(int priority, pthread_t pacer);

}  // namespace hlc
