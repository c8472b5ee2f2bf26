import { describe, expect, it } from 'vitest';

import { reachedBy, visibleList } from '../../../../src/gateways/dancers/lab/visible-list.js';
import { VehicleObservationCodec, VehicleStateCodec } from '../../../../src/messages/index.js';

describe('the view of a controller', () => {
  it('has its vehicle and those that its radio reaches', () => {
    const neighbor = { vehicle_id: 5, role: 0, link_quality: 1, age: 0n } as const;
    const visible = reachedBy({ vehicle_id: 2, t_now: 1n, role: 0, neighbors: [neighbor] });
    const ids = [1, 2, 5, 9];
    const list = visibleList(
      {
        t_now: 7n,
        period_ms: 50n,
        state_list: ids.map((vehicle_id) => ({ ...VehicleStateCodec.zero(), vehicle_id })),
        vehicle_observation_list: ids.map((vehicle_id) => ({
          ...VehicleObservationCodec.zero(),
          vehicle_id,
        })),
        active_vehicle_ids: ids,
      },
      visible,
    );
    expect([list.t_now, list.period_ms]).toEqual([7n, 50n]);
    expect(list.state_list.map(({ vehicle_id: id }) => id)).toEqual([2, 5]);
    expect(list.vehicle_observation_list.map(({ vehicle_id: id }) => id)).toEqual([2, 5]);
    expect(list.active_vehicle_ids).toEqual([2, 5]);
  });
});
