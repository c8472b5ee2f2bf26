#pragma once

/* The topics of the wire contract with the QoS of qos/default.xml. */
#include <dds/dds.h>

#include "ReadyStatus.h"
#include "VehicleCommandTrajectory.h"
#include "VehicleState.h"
#include "VehicleStateList.h"

/* A participant of a domain; the network is what CYCLONEDDS_URI says. */
dds_entity_t join(dds_domainid_t domain);

/* Controller side. */
dds_entity_t start_signal_writer(dds_entity_t participant);
dds_entity_t start_signal_reader(dds_entity_t participant);
dds_entity_t ready_writer(dds_entity_t participant);
dds_entity_t ready_reader(dds_entity_t participant);
dds_entity_t reply_writer(dds_entity_t participant);

/* Lab side. */
dds_entity_t state_writer(dds_entity_t participant);
dds_entity_t state_reader(dds_entity_t participant);
dds_entity_t command_writer(dds_entity_t participant);

/* Commands are read alike on both sides. */
dds_entity_t command_reader(dds_entity_t participant);

/* A waitset that wakes when this reader has something. */
dds_entity_t wait_for_samples(dds_entity_t participant, dds_entity_t reader);

/*
 * Waits until a reliable reader of a writer's topic is matched, so that nothing written from then
 * on is lost to it.
 */
void wait_for_reliable_reader(dds_entity_t writer);
