import { describe, expect, it } from 'vitest';

import type { RunConfig } from '../../../src/config/index.js';
import { parse } from './parse.js';

/** As the lab control centre starts the original (CPM Lab, command line of the middleware). */
const startLines: [line: string, expected: Partial<RunConfig>][] = [
  [
    '--node_id=middleware --simulated_time=false --vehicle_ids=1,2,3 --dds_domain=5 --dds_initial_peer=',
    {
      nodeId: 'middleware',
      simulatedTime: false,
      waitForStart: true,
      vehicleIds: [1, 2, 3],
      ddsDomain: 5,
      domainNumber: 1,
      initialPeers: [],
    },
  ],
  [
    '--node_id=middleware_1,2 --simulated_time=false --vehicle_ids=1,2 --dds_domain=21 --dds_initial_peer=rtps@udpv4://192.168.1.249:25598',
    {
      nodeId: 'middleware_1,2',
      vehicleIds: [1, 2],
      ddsDomain: 21,
      initialPeers: ['rtps@udpv4://192.168.1.249:25598'],
    },
  ],
  [
    '--node_id=middleware_7 --simulated_time=true --vehicle_ids=7 --dds_domain=21 --dds_initial_peer=rtps@udpv4://192.168.1.249:25598',
    { nodeId: 'middleware_7', simulatedTime: true, timeSource: 'lab', vehicleIds: [7] },
  ],
  [
    '--node_id=middleware --logging_id=middleware --simulated_time=True --vehicle_amount=20 --domain_number=1 --dds_domain=0',
    { simulatedTime: true, vehicleIds: Array.from({ length: 20 }, (_, index) => index + 1) },
  ],
  [
    '--vehicle_id=4 --vehicle_amount=-1 --wait_for_start=0 --offset_nanoseconds=1',
    { vehicleIds: [4], waitForStart: false, offsetNs: 1n },
  ],
];

describe('a start line of the CPM Lab', () => {
  it.each(startLines)(
    '%s is accepted as it is, and asks the lab for the rest',
    (line, expected) => {
      expect(parse(line)).toMatchObject({ ...expected, periodNs: null, activeVehicleIds: null });
    },
  );
});
