#include "log-sink.h"

#include <dds/ddsrt/log.h>

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

void sink(void*, const dds_log_data_t* data) {
  if ((data->priority & told_categories) == 0) return;
  const char* text = data->message;
  EventRecord head;
  head.kind = EventKind::log;
  head.a = data->priority;
  head.b = data->domid;
  std::lock_guard<std::mutex> lock(listeners_mutex);
  last_text = text;
  for (EventQueue* queue : listeners) {
    // A flood of warnings must not take memory without bound.
    if (queue->has_room()) queue->push(head, text, std::strlen(text));
  }
}

}  // namespace

void add_log_listener(EventQueue* queue) {
  {
    std::lock_guard<std::mutex> lock(listeners_mutex);
    listeners.push_back(queue);
  }
  dds_set_log_sink(sink, nullptr);
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
  if (none_left) dds_set_log_sink(nullptr, nullptr);
}

std::string take_last_log_text() {
  std::lock_guard<std::mutex> lock(listeners_mutex);
  std::string text;
  text.swap(last_text);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace hlc
