#include "reader.h"

#include <dds/ddsi/ddsi_serdata.h>

#include <cstring>

#include "clocks.h"

namespace hlc {

namespace {

constexpr uint32_t samples_per_take = 64;

Reader& self_of(void* self) { return *static_cast<Reader*>(self); }

}  // namespace

dds_entity_t Reader::open(dds_entity_t participant, dds_entity_t topic, const dds_qos_t* qos) {
  dds_listener_t* listener = dds_create_listener(this);
  dds_lset_data_available(listener, on_data_available);
  dds_lset_subscription_matched(listener, on_subscription_matched);
  dds_lset_requested_incompatible_qos(listener, on_incompatible_qos);
  dds_lset_sample_lost(listener, on_sample_lost);
  dds_lset_sample_rejected(listener, on_sample_rejected);
  const dds_entity_t entity = dds_create_reader(participant, topic, qos, listener);
  dds_delete_listener(listener);
  if (entity > 0) entity_ = entity;
  return entity;
}

dds_return_t Reader::close() { return dds_delete(entity_); }

void Reader::resume() {
  // After every batch of events: a plain read costs less than the exchange.
  if (stalled_.load() && stalled_.exchange(false)) take(entity_);
}

void Reader::on_data_available(dds_entity_t reader, void* self) { self_of(self).take(reader); }

void Reader::take(dds_entity_t reader) {
  std::lock_guard<std::mutex> lock(take_mutex_);
  struct ddsi_serdata* samples[samples_per_take];
  dds_sample_info_t infos[samples_per_take];
  bool any = false;
  for (;;) {
    if (!queue_.has_room()) {
      if (!stalled_.exchange(true)) stalls_.fetch_add(1, std::memory_order_relaxed);
      break;
    }
    const dds_return_t count =
        dds_takecdr(reader, samples, samples_per_take, infos, DDS_ANY_STATE);
    if (count <= 0) break;
    const int64_t received_at = monotonic_ns();
    for (dds_return_t i = 0; i < count; i++) {
      // What another reader takes must not wake JavaScript twice.
      any = forward(reader, samples[i], infos[i], received_at) || any;
      ddsi_serdata_unref(samples[i]);
    }
    if (count < static_cast<dds_return_t>(samples_per_take)) break;
  }
  if (any) queue_.wake();
}

bool Reader::forward(dds_entity_t reader, struct ddsi_serdata* sample,
                     const dds_sample_info_t& info, int64_t received_at) {
  const WriterInfo writer = writers_.find(reader, info.publication_handle);
  if (writer.reliable && options_.ignore_reliable_writers) return false;

  const uint32_t size = ddsi_serdata_size(sample);
  if (size > options_.max_sample_bytes) {
    EventRecord head;
    head.kind = EventKind::oversize;
    head.entity = reader;
    head.a = ++oversize_;
    head.b = size;
    head.c = writer.number;
    std::memcpy(head.guid, writer.guid, sizeof head.guid);
    queue_.append(head, nullptr, 0);
    return true;
  }

  // The end of an instance: no reader uses it.
  if (!info.valid_data) return false;
  EventRecord head;
  head.kind = EventKind::sample;
  head.flags = writer.reliable ? flag_reliable_writer : 0;
  head.entity = reader;
  head.a = info.source_timestamp;
  head.b = received_at;
  head.c = writer.number;
  std::memcpy(head.guid, writer.guid, sizeof head.guid);

  ddsrt_iovec_t bytes;
  struct ddsi_serdata* held = ddsi_serdata_to_ser_ref(sample, 0, size, &bytes);
  queue_.append(head, bytes.iov_base, bytes.iov_len);
  ddsi_serdata_to_ser_unref(held, &bytes);
  return true;
}

void Reader::on_subscription_matched(dds_entity_t reader, dds_subscription_matched_status_t status,
                                     void* self) {
  const bool joined = status.current_count_change > 0;
  WriterDirectory& writers = self_of(self).writers_;
  const WriterInfo writer = joined ? writers.joined(reader, status.last_publication_handle)
                                   : writers.left(reader, status.last_publication_handle);
  EventRecord head;
  head.kind = EventKind::subscription_matched;
  head.flags = (writer.reliable ? flag_reliable_writer : 0) | (joined ? flag_writer_joined : 0);
  head.entity = reader;
  head.a = status.current_count;
  head.b = status.total_count;
  head.c = writer.number;
  std::memcpy(head.guid, writer.guid, sizeof head.guid);
  self_of(self).queue_.push(head, nullptr, 0);
}

void Reader::on_incompatible_qos(dds_entity_t reader,
                                 dds_requested_incompatible_qos_status_t status, void* self) {
  self_of(self).queue_.push_status(EventKind::requested_incompatible_qos, reader,
                                   status.total_count, status.last_policy_id);
}

void Reader::on_sample_lost(dds_entity_t reader, dds_sample_lost_status_t status, void* self) {
  self_of(self).queue_.push_status(EventKind::sample_lost, reader, status.total_count, 0);
}

void Reader::on_sample_rejected(dds_entity_t reader, dds_sample_rejected_status_t status,
                                void* self) {
  self_of(self).queue_.push_status(EventKind::sample_rejected, reader, status.total_count, 0);
}

}  // namespace hlc
