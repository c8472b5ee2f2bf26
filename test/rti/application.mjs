// Participants of RTI Connext like those of the CPM Lab, for the XML application creation of its
// connector: discovery settings, topics and QoS as in its programs, types as in idl/.

/** @param {string} name @param {string[]} members */
const struct = (name, ...members) => `<struct name="${name}">${members.join('')}</struct>`;

/** @param {string} name @param {string} type @param {string} [more] attributes */
const basic = (name, type, more = '') => `<member name="${name}" type="${type}" ${more}/>`;

// What RTI's code generator makes of a string and of a sequence without bound.
const sequence = 'sequenceMaxLength="100"';
/** @param {string} name @param {string} [more] */
const string = (name, more = '') => basic(name, 'string', `stringMaxLength="255" ${more}`);

/** @param {string} name */
const key = (name) =>
  name === 'vehicle_id' ? basic(name, 'byte', 'key="true"') : string(name, 'key="true"');

/** @param {string} name @param {string} type @param {string} [more] */
const nested = (name, type, more = '') =>
  `<member name="${name}" type="nonBasic" nonBasicTypeName="${type}" ${more}/>`;

const doubles = (/** @type {string[]} */ ...names) => names.map((name) => basic(name, 'float64'));
const parameterTypes = [
  ...['Invalid', 'Bool', 'Int32', 'UInt64', 'Double', 'String'],
  ...['Vector_Int32', 'Vector_Double'],
];

const types = [
  struct('TimeStamp', basic('nanoseconds', 'uint64')),
  struct('Header', nested('create_stamp', 'TimeStamp'), nested('valid_after_stamp', 'TimeStamp')),
  struct('Pose2D', ...doubles('x', 'y', 'yaw')),
  struct('ReadyStatus', string('source_id'), nested('next_start_stamp', 'TimeStamp')),
  struct('SystemTrigger', nested('next_start', 'TimeStamp')),
  struct('ParameterRequest', key('name')),
  `<enum name="ParameterType">${parameterTypes.map((name) => `<enumerator name="${name}"/>`).join('')}</enum>`,
  struct(
    'Parameter',
    key('name'),
    nested('type', 'ParameterType'),
    basic('value_bool', 'boolean'),
    basic('value_uint64_t', 'uint64'),
    basic('values_int32', 'int32', sequence),
    basic('values_double', 'float64', sequence),
    string('value_string'),
  ),
  struct(
    'VehicleState',
    key('vehicle_id'),
    nested('header', 'Header'),
    nested('pose', 'Pose2D'),
    basic('IPS_update_age_nanoseconds', 'uint64'),
    ...doubles(
      ...['odometer_distance', 'imu_acceleration_forward', 'imu_acceleration_left'],
      ...['imu_acceleration_up', 'imu_yaw', 'imu_yaw_rate', 'speed', 'battery_voltage'],
      ...['motor_current', 'motor_throttle', 'steering_servo'],
    ),
    basic('is_real', 'boolean'),
  ),
  struct(
    'VehicleObservation',
    key('vehicle_id'),
    nested('header', 'Header'),
    nested('pose', 'Pose2D'),
  ),
  struct(
    'VehicleStateList',
    basic('t_now', 'uint64'),
    basic('period_ms', 'uint64'),
    nested('state_list', 'VehicleState', sequence),
    nested('vehicle_observation_list', 'VehicleObservation', sequence),
    basic('active_vehicle_ids', 'int32', sequence),
  ),
  struct(
    'VehicleCommandDirect',
    key('vehicle_id'),
    nested('header', 'Header'),
    ...doubles('motor_throttle', 'steering_servo'),
  ),
];

const topics = {
  readyStatus: 'ReadyStatus',
  systemTrigger: 'SystemTrigger',
  parameter: 'Parameter',
  parameterRequest: 'ParameterRequest',
  vehicleState: 'VehicleState',
  vehicleStateList: 'VehicleStateList',
  vehicleCommandDirect: 'VehicleCommandDirect',
};

/** @param {boolean} reliable @param {boolean} durable */
const qos = (reliable, durable) =>
  `<reliability><kind>${reliable ? 'RELIABLE' : 'BEST_EFFORT'}_RELIABILITY_QOS</kind></reliability>` +
  `<durability><kind>${durable ? 'TRANSIENT_LOCAL' : 'VOLATILE'}_DURABILITY_QOS</kind></durability>` +
  '<history><kind>KEEP_ALL_HISTORY_QOS</kind></history>';

/** @param {keyof typeof topics} topic */
const writer = (topic, reliable = false, durable = false) =>
  `<data_writer name="${topic}" topic_ref="${topic}"><datawriter_qos>${qos(reliable, durable)}</datawriter_qos></data_writer>`;

/** @param {keyof typeof topics} topic */
const reader = (topic, reliable = false) =>
  `<data_reader name="${topic}" topic_ref="${topic}"><datareader_qos>${qos(reliable, false)}</datareader_qos></data_reader>`;

/** @param {string} name @param {string} domain @param {string} settings @param {string[]} writers @param {string[]} readers */
const participant = (name, domain, settings, writers, readers) =>
  `<domain_participant name="${name}" domain_ref="Domains::${domain}">` +
  `<publisher name="P">${writers.join('')}</publisher><subscriber name="S">${readers.join('')}</subscriber>` +
  `<domain_participant_qos>${settings}</domain_participant_qos></domain_participant>`;

/** @param {readonly string[]} peers */
const initialPeers = (peers) =>
  `<initial_peers>${peers.map((peer) => `<element>${peer}</element>`).join('')}</initial_peers>`;

/**
 * The participants `Controller`, `Control` and `Vehicle` of the library `Lab`, and `GuideController`
 * with the settings of docs/guide/matlab.md.
 * @param {{ address: string, labDomain: number, controllerDomain: number, labPeers: readonly string[], guideSettings: string }} lab
 *   `address`: that of the network card of this machine; `labPeers`: as in `--dds_initial_peer`;
 *   `guideSettings`: the policies of the participant on the page
 * @returns text of a file for the connector
 */
export function application({ address, labDomain, controllerDomain, labPeers, guideSettings }) {
  const registered = Object.entries(topics)
    .map(([, type]) => `<register_type name="${type}" type_ref="${type}"/>`)
    .join('');
  const named = Object.entries(topics)
    .map(([topic, type]) => `<topic name="${topic}" register_type_ref="${type}"/>`)
    .join('');
  const local = `<discovery><accept_unknown_peers>false</accept_unknown_peers>${initialPeers(['localhost', `30@${address}`])}</discovery>`;
  const withoutMulticast =
    '<property><value><element><name>dds.transport.UDPv4.builtin.multicast_enabled</name><value>0</value></element></value></property>' +
    `<discovery>${initialPeers(['builtin.udpv4://127.0.0.1', ...labPeers])}<multicast_receive_addresses/></discovery>`;
  return (
    '<dds>' +
    `<types>${types.join('')}</types>` +
    '<domain_library name="Domains">' +
    `<domain name="Lab" domain_id="${labDomain}">${registered}${named}</domain>` +
    `<domain name="Controllers" domain_id="${controllerDomain}">${registered}${named}</domain>` +
    '</domain_library>' +
    '<domain_participant_library name="Lab">' +
    Object.entries({ Controller: local, GuideController: guideSettings })
      .map(([name, settings]) =>
        participant(
          name,
          'Controllers',
          settings,
          [writer('readyStatus', true, true), writer('vehicleCommandDirect')],
          [reader('vehicleStateList'), reader('systemTrigger', true)],
        ),
      )
      .join('') +
    participant(
      'Control',
      'Lab',
      withoutMulticast,
      [writer('systemTrigger', true), writer('parameter', true)],
      [reader('readyStatus', true), reader('parameterRequest')],
    ) +
    participant(
      'Vehicle',
      'Lab',
      withoutMulticast,
      [writer('vehicleState')],
      [reader('vehicleCommandDirect')],
    ) +
    '</domain_participant_library></dds>'
  );
}
