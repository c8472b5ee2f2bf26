#include "context.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>

#include "domain-sockets.h"
#include "log-sink.h"
#include "scheduling.h"
#include "topic-names.h"

namespace hlc {

Context::Context(Napi::Env env, Napi::Function deliver, size_t queue_bytes, bool trace_discovery)
    : queue_(EventQueue::create(env, deliver, queue_bytes, [this] {
        unsent_.send();
        for (auto& [entity, owned] : readers_) owned.object->resume();
      })) {
  add_log_listener(queue_, trace_discovery);
}

dds_entity_t Context::create_domain(dds_domainid_t id, const char* config, bool this_machine_only,
                                    std::vector<std::string>& addresses) {
  const std::vector<pid_t> threads_before = thread_ids();
  const std::set<int> before = unconnected_udp_sockets();
  const dds_entity_t entity = dds_create_domain(id, config);
  if (entity < 0) return entity;
  const std::vector<pid_t> threads_after = thread_ids();
  std::vector<pid_t> threads;
  std::set_difference(threads_after.begin(), threads_after.end(), threads_before.begin(),
                      threads_before.end(), std::back_inserter(threads));
  // Whoever schedules the threads that receive samples finds them by their names.
  wait_for_names(threads);
  std::set<int> sockets = unconnected_udp_sockets();
  for (const int fd : before) sockets.erase(fd);
  // No participant exists yet, so the domain has sent nothing.
  const int error = this_machine_only ? keep_on_this_machine(sockets) : 0;
  if (error != 0) {
    dds_delete(entity);
    throw std::system_error(error, std::generic_category(),
                            "the traffic cannot be kept on this machine");
  }
  addresses = bound_addresses(sockets);
  domains_.push_back(entity);
  return entity;
}

dds_entity_t Context::create_participant(dds_domainid_t domain, const dds_qos_t* qos) {
  const dds_entity_t entity = dds_create_participant(domain, qos, nullptr);
  if (entity > 0) participants_.push_back(entity);
  return entity;
}

dds_entity_t Context::create_topic(dds_entity_t participant, const dds_topic_descriptor_t& type,
                                   const char* name) {
  return hlc::create_topic(participant, type, name);
}

dds_entity_t Context::create_reader(dds_entity_t participant, dds_entity_t topic,
                                    const dds_qos_t* qos, ReaderOptions options) {
  auto reader = std::make_unique<Reader>(*queue_, options);
  const dds_entity_t entity = reader->open(participant, topic, qos);
  if (entity > 0) readers_.emplace(entity, Owned<Reader>{participant, std::move(reader)});
  return entity;
}

dds_entity_t Context::create_writer(dds_entity_t participant, dds_entity_t topic,
                                    const dds_qos_t* qos) {
  auto writer = std::make_unique<Writer>(*queue_);
  const dds_entity_t entity = writer->open(participant, topic, qos);
  if (entity > 0) writers_.emplace(entity, Owned<Writer>{participant, std::move(writer)});
  return entity;
}

dds_return_t Context::write(Writer& writer, const uint8_t* cdr, size_t bytes) {
  unsent_.send();
  return writer.write(cdr, bytes);
}

dds_return_t Context::write_soon(Writer& writer, const uint8_t* cdr, size_t bytes) {
  if (!queue_->is_delivering()) return write(writer, cdr, bytes);
  const uint8_t instance = writer.instance_of(cdr, bytes);
  unsent_.make_way(writer.entity(), instance);
  const dds_return_t result = writer.write_unsent(cdr, bytes);
  if (result == DDS_RETCODE_OK) unsent_.add(writer.entity(), instance);
  return result;
}

Reader* Context::reader(dds_entity_t entity) const {
  const auto found = readers_.find(entity);
  return found == readers_.end() ? nullptr : found->second.object.get();
}

Writer* Context::writer(dds_entity_t entity) const {
  const auto found = writers_.find(entity);
  return found == writers_.end() ? nullptr : found->second.object.get();
}

int32_t Context::create_pacer() {
  const int32_t id = ++last_pacer_;
  pacers_.emplace(id, std::make_unique<Pacer>(id, *queue_));
  return id;
}

Pacer* Context::pacer(int32_t id) const {
  const auto found = pacers_.find(id);
  return found == pacers_.end() ? nullptr : found->second.get();
}

int Context::make_realtime(int priority) const {
  std::vector<pthread_t> pacers;
  for (const auto& [id, pacer] : pacers_) pacers.push_back(pacer->thread());
  return hlc::make_realtime(priority, pacers);
}

void Context::close_entity(dds_entity_t entity) {
  unsent_.send();
  if (const auto reader = readers_.find(entity); reader != readers_.end()) {
    reader->second.object->close();
    readers_.erase(reader);
    return;
  }
  if (const auto writer = writers_.find(entity); writer != writers_.end()) {
    writer->second.object->close();
    writers_.erase(writer);
    return;
  }
  if (const auto participant = std::find(participants_.begin(), participants_.end(), entity);
      participant != participants_.end()) {
    close_endpoints_of(entity);
    dds_delete(entity);
    participants_.erase(participant);
    return;
  }
  if (const auto domain = std::find(domains_.begin(), domains_.end(), entity);
      domain != domains_.end()) {
    dds_delete(entity);
    domains_.erase(domain);
  }
}

void Context::close_endpoints_of(dds_entity_t participant) {
  // Endpoints first: deleting one waits for its listener, which uses the Reader or Writer object.
  for (auto it = readers_.begin(); it != readers_.end();) {
    if (it->second.participant != participant) {
      ++it;
      continue;
    }
    it->second.object->close();
    it = readers_.erase(it);
  }
  for (auto it = writers_.begin(); it != writers_.end();) {
    if (it->second.participant != participant) {
      ++it;
      continue;
    }
    it->second.object->close();
    it = writers_.erase(it);
  }
}

void Context::close() {
  if (queue_ == nullptr) return;
  pacers_.clear();
  while (!participants_.empty()) close_entity(participants_.back());
  while (!domains_.empty()) close_entity(domains_.back());
  remove_log_listener(queue_);
  queue_->close();
  queue_ = nullptr;
}

}  // namespace hlc
