#include "VehicleCommandSpeedCurvature.h"
#include "VehicleStateList.h"

/*
 * The command that takes a vehicle on along the oval, at a distance from the vehicle in front. It
 * stands still when nothing is known of it yet.
 */
VehicleCommandSpeedCurvature follow_oval(const VehicleStateList *list, uint8_t vehicle_id);
