#pragma once

#include <dds/dds.h>
#include <napi.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "event-queue.h"
#include "pacer.h"
#include "reader.h"
#include "unsent-samples.h"
#include "writer.h"

namespace hlc {

/**
 * All that one JavaScript environment has open in the DDS library, and the way its events take.
 * Methods are for the JavaScript thread. What is still open at `close`, which also runs when the
 * environment ends, is closed in an order that leaves no callback behind.
 */
class Context {
 public:
  Context(Napi::Env env, Napi::Function deliver, size_t queue_bytes, bool trace_discovery);
  ~Context() { close(); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /**
   * @param this_machine_only the kernel keeps all traffic of the domain on this machine
   * @param addresses takes the addresses of the network interfaces that the domain uses
   * @returns an entity handle, or a negative DDS return code
   * @throws std::system_error when the traffic cannot be kept on this machine
   */
  dds_entity_t create_domain(dds_domainid_t id, const char* config, bool this_machine_only,
                             std::vector<std::string>& addresses);
  // Each of these returns an entity handle, or a negative DDS return code.
  dds_entity_t create_participant(dds_domainid_t domain, const dds_qos_t* qos);
  dds_entity_t create_topic(dds_entity_t participant, const dds_topic_descriptor_t& type,
                            const char* name);
  dds_entity_t create_reader(dds_entity_t participant, dds_entity_t topic, const dds_qos_t* qos,
                             ReaderOptions options);
  dds_entity_t create_writer(dds_entity_t participant, dds_entity_t topic, const dds_qos_t* qos);

  /** Closes any entity of this context, with its children; an unknown one is left alone. */
  void close_entity(dds_entity_t entity);

  /**
   * Writes a sample, which is sent at once, after all that was written before.
   * @returns a DDS return code
   */
  dds_return_t write(Writer& writer, const uint8_t* cdr, size_t bytes);
  /** As `write`, but while events are handled it is sent with others, after the last event at the latest. */
  dds_return_t write_soon(Writer& writer, const uint8_t* cdr, size_t bytes);
  /** Sends what waits. */
  void send_unsent() { unsent_.send(); }

  Reader* reader(dds_entity_t entity) const;
  Writer* writer(dds_entity_t entity) const;
  int32_t create_pacer();
  /** Null when it is closed. */
  Pacer* pacer(int32_t id) const;
  void close_pacer(int32_t id) { pacers_.erase(id); }
  /** See scheduling.h. */
  int make_realtime(int priority) const;

  void close();

 private:
  void close_endpoints_of(dds_entity_t participant);

  template <typename T>
  struct Owned {
    dds_entity_t participant;
    std::unique_ptr<T> object;
  };

  EventQueue* queue_;
  UnsentSamples unsent_;
  std::unordered_map<dds_entity_t, Owned<Reader>> readers_;
  std::unordered_map<dds_entity_t, Owned<Writer>> writers_;
  /** Participants and domains, oldest first. */
  std::vector<dds_entity_t> participants_;
  std::vector<dds_entity_t> domains_;
  std::unordered_map<int32_t, std::unique_ptr<Pacer>> pacers_;
  int32_t last_pacer_ = 0;
};

}  // namespace hlc
