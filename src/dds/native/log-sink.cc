#include "log-sink.h"

#include <dds/ddsrt/log.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace hlc {

namespace {

std::mutex listeners_mutex;
std::vector<EventQueue*> listeners;
std::string last_text;

constexpr uint32_t told_categories = DDS_LC_FATAL | DDS_LC_ERROR | DDS_LC_WARNING;

/**
 * The domain that a message is about; -1 when it is about none. Cyclone DDS 0.10 leaves
 * `data->domid` unset, but puts a header before the text (src/ddsrt/src/log.c): seconds, the domain
 * in brackets, and the thread.
 */
int64_t domain_of(const dds_log_data_t* data) {
  const char* header = data->message - data->hdrsize;
  const auto* bracket = static_cast<const char*>(std::memchr(header, '[', data->hdrsize));
  if (bracket == nullptr) return -1;
  char* end = nullptr;
  const unsigned long id = std::strtoul(bracket + 1, &end, 10);
  return end > bracket + 1 && *end == ']' ? static_cast<int64_t>(id) : -1;
}

void push_to_listeners(const dds_log_data_t* data) {
  EventRecord head;
  head.kind = EventKind::log;
  head.a = data->priority;
  head.b = domain_of(data);
  for (EventQueue* queue : listeners) {
    // A flood of warnings must not take memory without bound.
    if (queue->has_room()) queue->push(head, data->message, std::strlen(data->message));
  }
}

void sink(void*, const dds_log_data_t* data) {
  if ((data->priority & told_categories) == 0) return;
  std::lock_guard<std::mutex> lock(listeners_mutex);
  last_text = data->message;
  push_to_listeners(data);
}

/** Where Cyclone DDS 0.10 drops a participant that it received and cannot send to. */
constexpr const char* unanswered = "(no unicast address";

void trace_sink(void*, const dds_log_data_t* data) {
  if ((data->priority & DDS_LC_DISCOVERY) == 0) return;
  if (std::strstr(data->message, unanswered) == nullptr) return;
  std::lock_guard<std::mutex> lock(listeners_mutex);
  push_to_listeners(data);
}

}  // namespace

void add_log_listener(EventQueue* queue, bool with_discovery) {
  {
    std::lock_guard<std::mutex> lock(listeners_mutex);
    listeners.push_back(queue);
  }
  dds_set_log_sink(sink, nullptr);
  if (with_discovery) dds_set_trace_sink(trace_sink, nullptr);
}

void remove_log_listener(EventQueue* queue) {
  bool none_left = false;
  {
    std::lock_guard<std::mutex> lock(listeners_mutex);
    for (auto it = listeners.begin(); it != listeners.end(); ++it) {
      if (*it == queue) {
        listeners.erase(it);
        break;
      }
    }
    none_left = listeners.empty();
  }
  if (!none_left) return;
  dds_set_log_sink(nullptr, nullptr);
  dds_set_trace_sink(nullptr, nullptr);
}

std::string take_last_log_text() {
  std::lock_guard<std::mutex> lock(listeners_mutex);
  std::string text;
  text.swap(last_text);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace hlc
