// How the wire contract is spelled in ROS 2.

/** The ROS 2 package of the messages (REP-144: its name says whose messages they are). */
export const rosPackage = 'hlc_middleware_msgs';

/** What rosidl accepts as a name of a message, of a field and of a constant. */
const messageName = /^[A-Z][A-Za-z0-9]*$/;
const fieldName = /^(?!.*__)(?!.*_$)[a-z][a-z0-9_]*$/;
const constantName = /^[A-Z]([A-Z0-9_]?[A-Z0-9]+)*$/;

/** `VehicleState` gives `hlc_middleware_msgs/msg/VehicleState`. @param {string} typeName */
export function rosTypeName(typeName) {
  return `${rosPackage}/msg/${legal(typeName, messageName, 'message')}`;
}

/**
 * The name of the type on the wire: `VehicleState` gives
 * `hlc_middleware_msgs::msg::dds_::VehicleState_`.
 * @param {string} typeName
 */
export function rosWireTypeName(typeName) {
  return `${rosPackage}::msg::dds_::${typeName}_`;
}

/** `vehicleState` gives `vehicle_state`. @param {string} name of a topic */
export function rosTopicName(name) {
  return legal(words(name).toLowerCase(), fieldName, 'topic');
}

/** `IPS_update_age` gives `ips_update_age`. @param {string} name of an IDL member */
export function rosFieldName(name) {
  return legal(words(name).toLowerCase(), fieldName, 'field');
}

/**
 * The constant for an enumerator: those of the field `type` begin with `TYPE_`.
 * @param {string} field
 * @param {string} enumerator
 */
export function rosConstantName(field, enumerator) {
  return legal(words(`${field}_${enumerator}`).toUpperCase(), constantName, 'constant');
}

/** @param {string} name */
function words(name) {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
}

/** @param {string} name @param {RegExp} rule @param {string} what */
function legal(name, rule, what) {
  if (!rule.test(name)) throw new Error(`"${name}" cannot be the name of a ROS 2 ${what}.`);
  return name;
}
