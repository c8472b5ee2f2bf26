import { describe, expect, it } from 'vitest';

import { parse } from './parse.js';

/** As the lab control centre starts the original (CPM Lab, command line of the middleware). */
const startLines: [line: string, expected: object][] = [
  [
    '--node_id=middleware --simulated_time=false --vehicle_ids=1,2,3 --dds_domain=5 --dds_initial_peer=',
    {
      nodeId: 'middleware',
      session: { time: { mode: 'real', waitForStart: true }, vehicleIds: [1, 2, 3] },
      sides: { lab: { domainId: 5, initialPeers: [] }, controller: { domainId: 1 } },
    },
  ],
  [
    '--node_id=middleware_1,2 --simulated_time=false --vehicle_ids=1,2 --dds_domain=21 --dds_initial_peer=rtps@udpv4://192.168.1.249:25598',
    {
      nodeId: 'middleware_1,2',
      session: { vehicleIds: [1, 2] },
      sides: { lab: { domainId: 21, initialPeers: ['rtps@udpv4://192.168.1.249:25598'] } },
    },
  ],
  [
    '--node_id=middleware_7 --simulated_time=true --vehicle_ids=7 --dds_domain=21 --dds_initial_peer=rtps@udpv4://192.168.1.249:25598',
    {
      nodeId: 'middleware_7',
      session: { time: { mode: 'simulated', timeSource: { kind: 'lab' } }, vehicleIds: [7] },
    },
  ],
  [
    '--node_id=middleware --logging_id=middleware --simulated_time=True --vehicle_amount=20 --domain_number=1 --dds_domain=0',
    {
      session: {
        time: { mode: 'simulated' },
        vehicleIds: Array.from({ length: 20 }, (_, index) => index + 1),
      },
    },
  ],
  [
    '--vehicle_id=4 --vehicle_amount=-1 --wait_for_start=0 --offset_nanoseconds=1',
    { session: { vehicleIds: [4], time: { waitForStart: false }, offsetNs: 1n } },
  ],
];

describe('a start line of the CPM Lab', () => {
  it.each(startLines)(
    '%s is accepted as it is, and asks the lab for the rest',
    (line, expected) => {
      const config = parse(line);
      expect(config).toMatchObject(expected);
      expect(config.session).toMatchObject({ periodNs: null, activeVehicleIds: null });
    },
  );
});
