#include "event-queue.h"

#include <cstring>

namespace hlc {

namespace {

constexpr size_t smallest_batch_bytes = 64 * 1024;

/** Batches that are handed over one after the other while more keeps coming in. */
constexpr int most_rounds = 16;

constexpr size_t align8(size_t n) { return (n + 7) & ~size_t{7}; }

}  // namespace

EventQueue::EventQueue(Napi::Env env, size_t capacity_bytes, std::function<void()> on_delivered)
    : capacity_(capacity_bytes), on_delivered_(std::move(on_delivered)) {
  pending_.reserve(smallest_batch_bytes);
  delivering_.reserve(smallest_batch_bytes);
  batch_ = Napi::Persistent(Napi::ArrayBuffer::New(env, smallest_batch_bytes));
}

EventQueue* EventQueue::create(Napi::Env env, Napi::Function deliver, size_t capacity_bytes,
                               std::function<void()> on_delivered) {
  auto* queue = new EventQueue(env, capacity_bytes, std::move(on_delivered));
  queue->tsfn_ = Tsfn::New(
      env, deliver, "hlc-dds-events", 0, 1, queue,
      [](Napi::Env, void*, EventQueue* finished) { delete finished; }, static_cast<void*>(nullptr));
  return queue;
}

void EventQueue::append(EventRecord head, const void* payload, size_t payload_bytes) {
  const size_t bytes = align8(sizeof(EventRecord) + payload_bytes);
  head.record_bytes = static_cast<uint32_t>(bytes);
  head.payload_bytes = static_cast<uint32_t>(payload_bytes);
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return;
  const size_t start = pending_.size();
  pending_.resize(start + bytes);
  std::memcpy(pending_.data() + start, &head, sizeof head);
  if (payload_bytes > 0) {
    std::memcpy(pending_.data() + start + sizeof head, payload, payload_bytes);
  }
  pending_bytes_.store(pending_.size(), std::memory_order_relaxed);
}

void EventQueue::wake() {
  if (closed_ || wake_requested_.exchange(true)) return;
  if (tsfn_.NonBlockingCall() != napi_ok) wake_requested_ = false;
}

void EventQueue::push(EventRecord head, const void* payload, size_t payload_bytes) {
  append(head, payload, payload_bytes);
  wake();
}

void EventQueue::push_status(EventKind kind, int32_t entity, int64_t first, int64_t second) {
  EventRecord head;
  head.kind = kind;
  head.entity = entity;
  head.a = first;
  head.b = second;
  push(head, nullptr, 0);
}

void EventQueue::deliver_on_js_thread(Napi::Env env, Napi::Function callback, EventQueue* queue,
                                      void*) {
  // Without an environment the process is on its way out: nothing can be delivered any more.
  if (env == nullptr || callback.IsEmpty()) return;
  queue->deliver(env, callback);
}

void EventQueue::deliver(Napi::Env env, Napi::Function callback) {
  for (int round = 0; round < most_rounds; round++) {
    if (!take_pending()) return;
    is_delivering_ = true;
    const bool is_handled = hand_over(env, callback);
    is_delivering_ = false;
    if (closed_) return;
    on_delivered_();
    // What the function throws stays pending, and Node deals with it before anything else.
    if (!is_handled) break;
  }
  // Others in the event loop have their turn, too.
  if (!closed_ && tsfn_.NonBlockingCall() != napi_ok) wake_requested_ = false;
}

bool EventQueue::take_pending() {
  std::lock_guard<std::mutex> lock(mutex_);
  delivering_.clear();
  delivering_.swap(pending_);
  pending_bytes_.store(0, std::memory_order_relaxed);
  if (!delivering_.empty() && !closed_) return true;
  // From here on a new event asks for a wake-up of its own; until here, none costs one.
  wake_requested_ = false;
  return false;
}

bool EventQueue::hand_over(Napi::Env env, Napi::Function callback) {
  Napi::ArrayBuffer batch = batch_.Value();
  // The plain calls here, since a worker thread may be ended at any moment: JavaScript then cannot
  // be run and no exception can be made of it, over which the C++ calls end the whole process.
  if (batch.ByteLength() < delivering_.size()) {
    size_t grown = batch.ByteLength();
    while (grown < delivering_.size()) grown *= 2;
    void* data = nullptr;
    napi_value larger = nullptr;
    if (napi_create_arraybuffer(env, grown, &data, &larger) != napi_ok) return false;
    batch = Napi::ArrayBuffer(env, larger);
    batch_.Reset(batch, 1);
  }
  std::memcpy(batch.Data(), delivering_.data(), delivering_.size());
  const napi_value arguments[] = {
      batch, Napi::Number::New(env, static_cast<double>(delivering_.size()))};
  return napi_call_function(env, env.Undefined(), callback, 2, arguments, nullptr) == napi_ok;
}

void EventQueue::close() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) return;
    closed_ = true;
    pending_.clear();
    pending_bytes_ = 0;
  }
  tsfn_.Release();
}

}  // namespace hlc
