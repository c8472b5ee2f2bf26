#include "types.h"

#include <string.h>

#include "dump.h"

#include "CommonroadDDSGoalState.h"
#include "GuardStatus.h"
#include "HLCHello.h"
#include "HlcCommunication.h"
#include "Log.h"
#include "LogLevel.h"
#include "MiddlewareStatus.h"
#include "NeighborList.h"
#include "Parameter.h"
#include "ParameterRequest.h"
#include "ReadyStatus.h"
#include "RemoteAgentList.h"
#include "RoundTripTime.h"
#include "StopRequest.h"
#include "SystemTrigger.h"
#include "VehicleCommandDirect.h"
#include "VehicleCommandPathTracking.h"
#include "VehicleCommandSpeedCurvature.h"
#include "VehicleCommandTrajectory.h"
#include "VehicleStateList.h"

static const struct peer_type types[] = {
  { &CommonroadDDSGoalState_desc, dump_commonroad_dds_goal_state },
  { &GuardStatus_desc, dump_guard_status },
  { &HLCHello_desc, dump_hlc_hello },
  { &HlcCommunication_desc, dump_hlc_communication },
  { &Log_desc, dump_log },
  { &LogLevel_desc, dump_log_level },
  { &MiddlewareStatus_desc, dump_middleware_status },
  { &NeighborList_desc, dump_neighbor_list },
  { &Parameter_desc, dump_parameter },
  { &ParameterRequest_desc, dump_parameter_request },
  { &ReadyStatus_desc, dump_ready_status },
  { &RemoteAgentList_desc, dump_remote_agent_list },
  { &RoundTripTime_desc, dump_round_trip_time },
  { &StopRequest_desc, dump_stop_request },
  { &SystemTrigger_desc, dump_system_trigger },
  { &VehicleCommandDirect_desc, dump_vehicle_command_direct },
  { &VehicleCommandPathTracking_desc, dump_vehicle_command_path_tracking },
  { &VehicleCommandSpeedCurvature_desc, dump_vehicle_command_speed_curvature },
  { &VehicleCommandTrajectory_desc, dump_vehicle_command_trajectory },
  { &VehicleObservation_desc, dump_vehicle_observation },
  { &VehicleState_desc, dump_vehicle_state },
  { &VehicleStateList_desc, dump_vehicle_state_list },
};

const struct peer_type *find_type(const char *name)
{
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(types[i].descriptor->m_typename, name) == 0)
      return &types[i];
  return NULL;
}
