import type { RosFields } from '../rclnodejs-api.js';
import type { RosNodeHandle } from '../ros-endpoint.js';
import { offerService } from './offer.js';
import type { Parameters } from './parameters.js';

/**
 * Serves the parameters of the node. (rclnodejs 2.2 would do so, too, but describes no ranges and
 * gives no true reason for a refusal.)
 * @throws HlcError `HLC_ROS_MESSAGES`.
 */
export function offerParameters(handle: RosNodeHandle, parameters: Parameters): void {
  const offer = (type: string, name: string, answer: (request: RosFields) => RosFields) =>
    offerService(handle, `rcl_interfaces/srv/${type}`, `~/${name}`, answer);
  const names = (request: RosFields) => request.names as readonly string[];
  const given = (request: RosFields) => request.parameters as readonly RosFields[];
  offer('ListParameters', 'list_parameters', ({ prefixes }) => ({
    result: { names: parameters.list(prefixes as readonly string[]), prefixes: [] },
  }));
  offer('GetParameters', 'get_parameters', (request) => ({
    values: parameters.get(names(request)),
  }));
  offer('GetParameterTypes', 'get_parameter_types', (request) => ({
    types: parameters.typesOf(names(request)),
  }));
  offer('DescribeParameters', 'describe_parameters', (request) => ({
    descriptors: parameters.describe(names(request)),
  }));
  offer('SetParameters', 'set_parameters', (request) => ({
    results: parameters.set(given(request)),
  }));
  offer('SetParametersAtomically', 'set_parameters_atomically', (request) => ({
    result: parameters.setAtomically(given(request)),
  }));
}
