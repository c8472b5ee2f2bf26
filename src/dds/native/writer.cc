#include "writer.h"

#include <vector>

#include "plain-cdr.h"
#include "raw-sample.h"
#include "topic-type.h"

namespace hlc {

namespace {

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

dds_entity_t Writer::open(dds_entity_t participant, dds_entity_t topic, const dds_qos_t* qos) {
  dds_listener_t* listener = dds_create_listener(this);
  dds_lset_publication_matched(listener, on_publication_matched);
  dds_lset_offered_incompatible_qos(listener, on_incompatible_qos);
  // Only writers that are made meanwhile batch: there is no other way to say so of a single one.
  dds_write_set_batch(true);
  const dds_entity_t entity = dds_create_writer(participant, topic, qos, listener);
  dds_write_set_batch(false);
  dds_delete_listener(listener);
  if (entity <= 0) return entity;
  entity_ = entity;
  const dds_topic_descriptor_t* type = type_of(topic);
  if (type == nullptr || !can_be_unchecked(*type)) return entity;
  octet_is_key_ = type->m_nkeys > 0;
  instances_.open(entity, *type);
  return entity;
}

dds_return_t Writer::close() { return dds_delete(entity_); }

dds_return_t Writer::write(const uint8_t* cdr, size_t bytes) {
  instances_.keep(cdr, bytes);
  return write_cdr(entity_, cdr, bytes);
}

dds_return_t Writer::write_unsent(const uint8_t* cdr, size_t bytes) {
  instances_.keep(cdr, bytes);
  return write_cdr_unsent(entity_, cdr, bytes);
}

uint8_t Writer::instance_of(const uint8_t* cdr, size_t bytes) const {
  return octet_is_key_ && bytes > encapsulation_bytes ? cdr[encapsulation_bytes] : 0;
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

}  // namespace hlc
