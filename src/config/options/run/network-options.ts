import type { Option } from '../option.js';
import { filePath, interfaceName, oneOf, peerList, wholeNumber } from '../value-types.js';

const sideKinds = ['dds', 'ros2', 'rclnodejs'] as const;
const controllerSideKinds = ['dds', 'ros2', 'both', 'rclnodejs'] as const;
const transports = ['dds', 'ros2'] as const;
const namings = ['dds', 'ros2'] as const;

/** Options of `hlc-middleware run`: domains, transports and QoS. */
export const networkOptions = {
  ddsDomain: {
    group: 'Network',
    value: wholeNumber(0, 232),
    default: '0',
    meaning:
      'DDS domain of the lab side; with ROS 2 on that side, ROS_DOMAIN_ID overrides the default.',
  },
  domainNumber: {
    group: 'Network',
    value: wholeNumber(0, 232),
    default: '1',
    meaning:
      'DDS domain of the controller side; with ROS 2 on that side, ROS_DOMAIN_ID overrides the default.',
  },
  interface: {
    group: 'Network',
    value: interfaceName(),
    default: 'lo',
    meaning: 'Network interface of both sides on plain DDS.',
  },
  localAddresses: {
    group: 'Network',
    value: oneOf(['loopback', 'all']),
    otherwise: 'loopback; all with --compat=cpm-lab and on a side of the kind ros2 or both',
    meaning:
      'Addresses of this machine at which sides on loopback look for and answer programs of this machine: loopback only, or also the address of a network card, which RTI Connext and ROS 2 announce. With all, nothing leaves this machine either, except on the lab side when --dds-initial-peer names an address other than loopback.',
  },
  ddsInitialPeer: {
    group: 'Network',
    value: peerList(),
    unset: '',
    repeatable: true,
    otherwise: 'none',
    meaning:
      'Discovery peers of the lab side; can be given several times. With a peer on another machine the lab side uses the interface that routes to it, unless --interface names one.',
  },
  labSide: {
    group: 'Network',
    value: oneOf(sideKinds, '<kind>'),
    otherwise: 'dds, unless an older flag names another kind',
    meaning:
      'Messages of the lab side: dds for plain DDS with the names of the CPM Lab, ros2 for the names of ROS 2 on plain DDS (needs no ROS 2 installation), rclnodejs for a node of the sourced ROS 2 with its network settings.',
  },
  controllerSide: {
    group: 'Network',
    value: oneOf(controllerSideKinds, '<kind>'),
    otherwise: 'dds, unless an older flag names another kind',
    meaning:
      'Messages of the controller side: dds, ros2 or rclnodejs, as for --lab-side; or both, the names of dds and of ros2 on one domain, for controllers of both kinds in one run.',
  },
  transport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    default: 'dds',
    meaning:
      'Older flag for both sides: ros2 means --lab-side=rclnodejs and --controller-side=rclnodejs.',
  },
  controllerTransport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    otherwise: 'as --transport',
    meaning: 'Older flag: ros2 means --controller-side=rclnodejs.',
  },
  labTransport: {
    group: 'Network',
    value: oneOf(transports, '<transport>'),
    otherwise: 'as --transport',
    meaning: 'Older flag: ros2 means --lab-side=rclnodejs.',
  },
  rosIdentity: {
    group: 'Network',
    value: oneOf(['dds', 'none']),
    default: 'dds',
    meaning:
      'Identity of controllers with --controller-side=rclnodejs: dds reads their topics with a participant of plain DDS beside the node; with none, the middleware detects neither a lost controller nor a second one with the same id.',
  },
  naming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as the transport',
    meaning: 'Older flag for both sides: ros2 means --lab-side=ros2 and --controller-side=ros2.',
  },
  controllerNaming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as --naming',
    meaning: 'Older flag: ros2 means --controller-side=ros2 on plain DDS.',
  },
  labNaming: {
    group: 'Network',
    value: oneOf(namings, '<naming>'),
    otherwise: 'as --naming',
    meaning: 'Older flag: ros2 means --lab-side=ros2 on plain DDS.',
  },
  qosFile: {
    group: 'Network',
    value: filePath(),
    otherwise: 'qos/default.xml of this program',
    meaning: 'QoS profiles (OMG DDS-XML); "hlc-middleware qos check" prints the meaning of a file.',
  },
} as const satisfies Record<string, Option<unknown>>;
