#include "writer.h"

#include <dds/ddsi/ddsi_cdrstream.h>

#include <cstring>

#include "raw-sample.h"

namespace hlc {

namespace {

constexpr size_t encapsulation_bytes = 4;
constexpr uint32_t xcdr_version_1 = 1;
/** A sample is padded to a multiple of four bytes on the wire. */
constexpr size_t most_padding_bytes = 3;
constexpr bool host_is_little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

std::string hex(const uint8_t* bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(count * 2);
  for (size_t i = 0; i < count; i++) {
    text.push_back(digits[bytes[i] >> 4]);
    text.push_back(digits[bytes[i] & 15]);
  }
  return text;
}

Writer& self_of(void* self) { return *static_cast<Writer*>(self); }

}  // namespace

Writer::~Writer() {
  if (sample_ == nullptr) return;
  dds_stream_free_sample(sample_, type_.m_ops);
  dds_free(sample_);
}

dds_entity_t Writer::open(dds_entity_t participant, dds_entity_t topic, const dds_qos_t* qos) {
  dds_listener_t* listener = dds_create_listener(this);
  dds_lset_publication_matched(listener, on_publication_matched);
  dds_lset_offered_incompatible_qos(listener, on_incompatible_qos);
  dds_lset_liveliness_lost(listener, on_liveliness_lost);
  const dds_entity_t entity = dds_create_writer(participant, topic, qos, listener);
  dds_delete_listener(listener);
  if (entity > 0) entity_ = entity;
  return entity;
}

dds_return_t Writer::close() { return dds_delete(entity_); }

bool Writer::read_sample(const uint8_t* cdr, size_t bytes) {
  if (!is_plain_cdr(cdr, bytes)) return false;
  const bool little_endian = cdr[1] == 1;
  const auto size = static_cast<uint32_t>(bytes - encapsulation_bytes);
  // The stream functions want aligned memory, and swap in place.
  aligned_.resize((size + 7) / 8 + 1);
  auto* body = reinterpret_cast<char*>(aligned_.data());
  std::memcpy(body, cdr + encapsulation_bytes, size);
  uint32_t used = 0;
  if (dds_stream_normalize_data(body, &used, size, little_endian != host_is_little_endian,
                                xcdr_version_1, type_.m_ops) == nullptr) {
    return false;
  }
  if (size - used > most_padding_bytes) return false;
  if (sample_ == nullptr) {
    sample_ = dds_alloc(type_.m_size);
    std::memset(sample_, 0, type_.m_size);
  }
  dds_istream_t stream;
  dds_istream_init(&stream, size, body, xcdr_version_1);
  dds_stream_read(&stream, static_cast<char*>(sample_), type_.m_ops);
  return true;
}

dds_return_t Writer::write(const uint8_t* cdr, size_t bytes) {
  return write_cdr(entity_, cdr, bytes);
}

dds_return_t Writer::dispose(const uint8_t* cdr, size_t bytes) {
  if (!read_sample(cdr, bytes)) return DDS_RETCODE_BAD_PARAMETER;
  return dds_dispose(entity_, sample_);
}

std::set<std::string> Writer::matched_participants() const {
  std::set<std::string> prefixes;
  std::vector<dds_instance_handle_t> handles(64);
  dds_return_t count = dds_get_matched_subscriptions(entity_, handles.data(), handles.size());
  if (count > static_cast<dds_return_t>(handles.size())) {
    handles.resize(static_cast<size_t>(count));
    count = dds_get_matched_subscriptions(entity_, handles.data(), handles.size());
  }
  for (size_t i = 0; i < handles.size() && static_cast<dds_return_t>(i) < count; i++) {
    dds_builtintopic_endpoint_t* endpoint = dds_get_matched_subscription_data(entity_, handles[i]);
    if (endpoint == nullptr) continue;
    prefixes.insert(hex(endpoint->key.v, 12));
    dds_builtintopic_free_endpoint(endpoint);
  }
  return prefixes;
}

void Writer::on_publication_matched(dds_entity_t writer, dds_publication_matched_status_t status,
                                    void* self) {
  self_of(self).queue_.push_status(EventKind::publication_matched, writer, status.current_count,
                                   status.total_count);
}

void Writer::on_incompatible_qos(dds_entity_t writer, dds_offered_incompatible_qos_status_t status,
                                 void* self) {
  self_of(self).queue_.push_status(EventKind::offered_incompatible_qos, writer, status.total_count,
                                   status.last_policy_id);
}

void Writer::on_liveliness_lost(dds_entity_t writer, dds_liveliness_lost_status_t status,
                                void* self) {
  self_of(self).queue_.push_status(EventKind::liveliness_lost, writer, status.total_count, 0);
}

}  // namespace hlc
