import { describe, expect, it } from 'vitest';
import { parse, refusal, type Surroundings } from './parse.js';

function kindsOf(flags: string, surroundings?: Surroundings): string {
  const { lab, controller } = parse(`--period-ms=50 ${flags}`, surroundings).sides;
  return `${lab.kind} ${controller.kind}`;
}

describe('the kind of each side', () => {
  it.each([
    ['', 'dds dds'],
    ['--lab-side=ros2', 'ros2 dds'],
    ['--lab-side=ros2 --controller-side=rclnodejs', 'ros2 rclnodejs'],
    ['--controller_side=dds', 'dds dds'],
  ])('with "%s" is %s', (flags, kinds) => {
    expect(kindsOf(flags)).toBe(kinds);
  });

  it.each([
    ['--transport=ros2', 'rclnodejs rclnodejs'],
    ['--transport=ros2 --lab-transport=dds', 'dds rclnodejs'],
    ['--transport=dds --lab-transport=dds', 'dds dds'],
    ['--naming=ros2', 'ros2 ros2'],
    ['--naming=ros2 --lab-naming=dds', 'dds ros2'],
    ['--controller-naming=ros2', 'dds ros2'],
    ['--lab-transport=ros2 --lab-naming=ros2', 'rclnodejs dds'],
  ])('with the older flags %s is %s', (flags, kinds) => {
    expect(kindsOf(flags)).toBe(kinds);
  });

  it('follows the flag of the side before the older flags of both sides', () => {
    expect(kindsOf('--transport=ros2 --lab-side=ros2')).toBe('ros2 rclnodejs');
  });

  it('follows the more binding source', () => {
    const environment = { HLC_MIDDLEWARE_LAB_NAMING: 'ros2' };
    expect(kindsOf('--lab-side=dds', { environment })).toBe('dds dds');
    const newer = { HLC_MIDDLEWARE_LAB_SIDE: 'rclnodejs' };
    expect(kindsOf('--lab-naming=ros2', { environment: newer })).toBe('ros2 dds');
  });

  it('is accepted when an older flag of the side says the same', () => {
    expect(kindsOf('--lab-side=ros2 --lab-naming=ros2')).toBe('ros2 dds');
  });

  it.each([
    ['--lab-side=dds --lab-naming=ros2', '--lab-side', '--lab-naming'],
    ['--controller-transport=ros2 --controller-naming=dds', '--controller-', '=dds'],
  ])('%s is refused', (flags, first, second) => {
    const { code, sentence } = refusal(`--period-ms=50 ${flags}`);
    expect(code).toBe('HLC_CONFIG_CONFLICT');
    expect(sentence).toContain(first);
    expect(sentence).toContain(second);
  });
});

describe('the local addresses of each side', () => {
  const addressesOf = (flags: string) => {
    const { lab, controller } = parse(`--period-ms=50 ${flags}`).sides;
    return `${lab.localAddresses} ${controller.localAddresses}`;
  };

  it.each([
    ['', 'loopback loopback'],
    ['--compat=cpm-lab', 'all all'],
    ['--lab-side=ros2', 'all loopback'],
    ['--controller-side=ros2', 'loopback all'],
    ['--controller-side=ros2 --local-addresses=loopback', 'loopback loopback'],
    ['--local-addresses=all', 'all all'],
  ])('with "%s" are %s', (flags, addresses) => {
    expect(addressesOf(flags)).toBe(addresses);
  });
});
