import { expect, it } from 'vitest';
import { idPairs } from '../../../src/config/options/id-types.js';

const { schema } = idPairs([4_294_967_295, 255], '<agent:vehicle>');

it.each([
  [
    '0:1,1:2',
    [
      [0, 1],
      [1, 2],
    ],
  ],
  ['7', [[7, 7]]],
  ['4294967295:255', [[4_294_967_295, 255]]],
] as const)('reads %s', (text, pairs) => {
  expect(schema.parse(text)).toEqual(pairs);
});

it.each(['4294967296:1', '1:256', '0:1,0:2', '0:1,', '99999999999', ''])('refuses "%s"', (text) => {
  expect(schema.safeParse(text).success).toBe(false);
});
