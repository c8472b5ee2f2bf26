import { expect, it } from 'vitest';
import { contractFiles } from '../../../src/record/contract-files.js';

it('names a QoS file that cannot be read', () => {
  expect(() => contractFiles('/no/such/qos.xml')).toThrow(
    expect.objectContaining({ code: 'HLC_QOS_FILE' }),
  );
});
