import { describe, expect, it } from 'vitest';
import { ExitCode } from '../../../../src/errors/index.js';
import {
  chooseProfile,
  findProfile,
  loadShippedQos,
  parseQosFile,
} from '../../../../src/dds/qos/index.js';

const chosen = (profiles: string, side = 'Lab') =>
  chooseProfile(
    parseQosFile(`<dds><qos_library name="L">${profiles}</qos_library></dds>`, 'my.xml'),
    side,
  ).name;

describe('the profile for a side', () => {
  it('is the one with the name of the side, in any library', () => {
    expect(chosen('<qos_profile name="Lab"/><qos_profile name="X" is_default_qos="true"/>')).toBe(
      'L::Lab',
    );
  });

  it('is else the default profile of the file', () => {
    expect(chosen('<qos_profile name="A"/><qos_profile name="B" is_default_qos="1"/>')).toBe(
      'L::B',
    );
  });

  it('is else the only profile of the file', () => {
    expect(chosen('<qos_profile name="A"/>')).toBe('L::A');
  });

  it('is never one of another file', () => {
    const text = '<dds><qos_library name="L"><qos_profile name="A"/></qos_library></dds>';
    expect(chooseProfile(parseQosFile(text, 'my.xml', loadShippedQos()), 'Lab').name).toBe('L::A');
  });

  it.each([
    ['', 'the file has no profile'],
    ['<qos_profile name="A"/><qos_profile name="B"/>', 'several could be meant'],
  ])('is missing in "%s": %s', (profiles, cause) => {
    const expected = { code: 'HLC_QOS_PROFILE', exitCode: ExitCode.usage };
    expect(() => chosen(profiles)).toThrow(expect.objectContaining(expected) as Error);
    expect(() => chosen(profiles)).toThrow(`(${cause}); accepted: one profile with the name Lab`);
  });

  it('is not chosen when two libraries have one', () => {
    const text =
      '<dds><qos_library name="L"><qos_profile name="Lab"/></qos_library><qos_library name="M"><qos_profile name="Lab"/></qos_library></dds>';
    expect(() => chooseProfile(parseQosFile(text, 'my.xml'), 'Lab')).toThrow('several');
  });
});

describe('a profile that no file has', () => {
  it('is refused with the names that there are', () => {
    const text = '<dds><qos_library name="L"><qos_profile name="A"/></qos_library></dds>';
    expect(() => findProfile(parseQosFile(text, 'my.xml'), 'L::B')).toThrow(
      'my.xml: there is no QoS profile to use for "L::B" (no library has it); accepted: L::A.',
    );
  });
});
