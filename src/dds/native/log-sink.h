#pragma once

#include <string>

#include "event-queue.h"

namespace hlc {

/**
 * Hands the DDS library's warnings and errors to this queue instead of standard error. The library
 * has one sink per process; with several queues (worker threads) each one gets every message.
 * @param with_discovery hands it also what the trace of discovery says about participants that were
 *   received and cannot be answered; the trace then goes nowhere else.
 */
void add_log_listener(EventQueue* queue, bool with_discovery);
void remove_log_listener(EventQueue* queue);

/** The newest warning or error since the last call: the reason behind a return code. */
std::string take_last_log_text();

}  // namespace hlc
