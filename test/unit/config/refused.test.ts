import { describe, expect, it } from 'vitest';

import type { HlcError } from '../../../src/errors/index.js';
import { parse, parseArguments, refusal, refusalOf } from './parse.js';

const listRule =
  'a list of different whole numbers from 0 to 255 with commas between them, for example 1,2,5';
const msRule = 'a number of milliseconds from 0.1 to 86400000 with at most 6 decimals';
const socketRule =
  'auto, off, or the path of a socket, of at most 107 bytes and without control characters';
const booleanRule = 'true or false (also True, T, 1, False, F, 0)';

describe('a bad value', () => {
  const refused: [flag: string, value: string, rule: string][] = [
    ['--period-ms', '', msRule],
    ['--period-ms', 'abc', msRule],
    ['--period-ms', '0', msRule],
    ['--period-ms', '0.0999', msRule],
    ['--period-ms', '-50', msRule],
    ['--period-ms', '+50', msRule],
    ['--period-ms', '5e1', msRule],
    ['--period-ms', '50ms', msRule],
    ['--period-ms', '1.0000001', msRule],
    ['--period-ms', '86400000.000001', msRule],
    ['--period-ms', 'Infinity', msRule],
    ['--vehicle-ids', '', listRule],
    ['--vehicle-ids', '1,,2', listRule],
    ['--vehicle-ids', '1,2,', listRule],
    ['--vehicle-ids', '256', listRule],
    ['--vehicle-ids', '-1', listRule],
    ['--vehicle-ids', '1,1', listRule],
    ['--vehicle-ids', '1-4', listRule],
    ['--vehicle-ids', '1.5', listRule],
    ['--active-vehicle-ids', 'all', listRule],
    ['--vehicle-id', '256', 'a whole number from 0 to 255 (-1: not given)'],
    ['--vehicle-id', '-2', 'a whole number from 0 to 255 (-1: not given)'],
    ['--vehicle-amount', '0', 'a whole number from 1 to 255 (-1: not given)'],
    ['--dds-domain', '233', 'a whole number from 0 to 232'],
    ['--dds-domain', '1.0', 'a whole number from 0 to 232'],
    ['--dds-domain', '0x10', 'a whole number from 0 to 232'],
    ['--periods', '0', 'a whole number from 1 to 9007199254740991'],
    ['--simulated-time', 'yes', booleanRule],
    [
      '--offset-nanoseconds',
      '9223372036854775808',
      'a whole number of nanoseconds from 0 to 9223372036854775807',
    ],
    ['--node-id', '', 'a text of 1 to 255 bytes (UTF-8) without control characters'],
    ['--summary', '', 'the path of a file, without control characters'],
    [
      '--interface',
      'a b',
      'the name or the address of a network interface, for example lo, eth0 or 192.168.1.5',
    ],
    [
      '--dds-initial-peer',
      'a,,b',
      'a list of peers with commas between them, each HOST, HOST:PORT, N@HOST or rtps@udpv4://HOST:PORT',
    ],
    ['--control-socket', '', socketRule],
    ['--real-time-factor', '0', 'a number from 0.001 to 1000'],
    ['--steps-until', '0', 'a whole number of nanoseconds from 1 to 9223372036854775807'],
  ];

  it.each(refused)('%s=%s is refused with its rule', (flag, value, rule) => {
    expect(refusalOf(() => parseArguments([`${flag}=${value}`]))).toEqual({
      code: 'HLC_CONFIG_VALUE',
      sentence: `The value "${value}" of ${flag} is refused: it must be ${rule}.`,
    });
  });

  it('is compared with the words that are right', () => {
    expect(refusal('--log-level=warning').sentence).toBe(
      'The value "warning" of --log-level is refused: it must be one of fatal, error, warn, info, debug, trace, silent; did you mean warn?',
    );
    expect(refusal('--simulated_time=TRUE').sentence).toBe(
      `The value "TRUE" of --simulated-time is refused: it must be ${booleanRule}; did you mean true?`,
    );
    expect(refusal('--wait-for-start=fasle').sentence).toBe(
      `The value "fasle" of --wait-for-start is refused: it must be ${booleanRule}; did you mean false?`,
    );
  });

  it('is shown in one line and in part when it is long or not printable', () => {
    const { sentence } = refusalOf(() =>
      parseArguments([`--period-ms=\u001b[31m\n${'9'.repeat(500)}`]),
    );
    expect(sentence).toContain(`"\\u{1b}[31m\\u{a}999`);
    expect(sentence.length).toBeLessThan(250);
  });

  it('of a name is counted in bytes, not in characters', () => {
    expect(parse(`--period-ms=50 --node-id=${'x'.repeat(255)}`).nodeId).toHaveLength(255);
    expect(refusal(`--period-ms=50 --node-id=${'ü'.repeat(128)}`).code).toBe('HLC_CONFIG_VALUE');
  });
});

describe('a name', () => {
  it.each([
    ['--perod-ms=50', '--period-ms'],
    ['--period=50', '--period-ms'],
    ['--period_mss=50', '--period-ms'],
    ['--Vehicle_IDs=1', '--vehicle-ids'],
    ['--simulated-tiem', '--simulated-time'],
    ['--domain=3', '--domain-number'],
    ['--peer=host', '--dds-initial-peer'],
    ['-vehicle_ids=1', '--vehicle-ids'],
  ])('%s is unknown, and %s is suggested', (argument, nearest) => {
    expect(refusal(argument)).toEqual({
      code: 'HLC_CONFIG_UNKNOWN_NAME',
      sentence: `Unknown flag ${argument}; did you mean ${nearest}? "hlc-middleware run --help" lists all names.`,
    });
  });

  it('that resembles no flag is unknown without a suggestion', () => {
    expect(refusal('--qwertyuiop')).toEqual({
      code: 'HLC_CONFIG_UNKNOWN_NAME',
      sentence: 'Unknown flag --qwertyuiop; "hlc-middleware run --help" lists all names.',
    });
  });
});

describe('an argument', () => {
  it.each(['foo', '--', '-', '--=5', '---period-ms=5'])('%s is no flag', (argument) => {
    expect(refusal(`--period-ms=50 ${argument}`)).toEqual({
      code: 'HLC_CONFIG_ARGUMENT',
      sentence: `The argument "${argument}" is not a flag; write flags as --name=value.`,
    });
  });

  it.each(['--period-ms', '--period-ms --vehicle-id=1'])('%s lacks its value', (commandLine) => {
    expect(refusal(commandLine)).toEqual({
      code: 'HLC_CONFIG_NO_VALUE',
      sentence: `--period-ms has no value; write --period-ms=VALUE, where the value is ${msRule}.`,
    });
  });
});

describe('values that do not fit together', () => {
  it.each([
    ['--period-ms=50 --period-nanoseconds=50000000', '--period-ms and --period-nanoseconds'],
    ['--vehicle-ids=1,2 --vehicle-id=1', '--vehicle-ids and --vehicle-id'],
    ['--vehicle_amount=3 --vehicle_id=1', '--vehicle-id and --vehicle-amount'],
    ['--vehicle-ids=1 --vehicle-id=1 --vehicle-amount=2', '--vehicle-ids and --vehicle-amount'],
    ['--periods=1 --periods=2', '--periods=1 and --periods=2'],
    ['--dds_domain=2 --dds-domain=3', '--dds-domain=2 and --dds-domain=3'],
  ])('%s exclude each other', (flags, both) => {
    const commandLine = flags.startsWith('--period-ms') ? flags : `--period-ms=50 ${flags}`;
    expect(refusal(commandLine)).toEqual({
      code: 'HLC_CONFIG_CONFLICT',
      sentence: `${both} exclude each other; give only one of them.`,
    });
  });

  it('are an offset and a shorter period', () => {
    expect(refusal('--period-ms=50 --offset-nanoseconds=50000000')).toEqual({
      code: 'HLC_TIME_OFFSET',
      sentence:
        'The offset 50000000 ns does not fit the period 50000000 ns; give an offset of 0 or more that, in real time, is less than the period.',
    });
  });

  it('are one domain for both sides, since commands would go round in it', () => {
    expect(refusal('--period-ms=50 --dds-domain=1')).toEqual({
      code: 'HLC_CONFIG_SAME_DOMAIN',
      sentence:
        'The lab side and the controller side are both on DDS domain 1, where every forwarded command would come back as a new one; give --dds-domain and --domain-number different values.',
    });
  });
});

describe('a side on ROS 2 and one on plain DDS', () => {
  it('are on two domains, since one process cannot open a domain both ways', () => {
    expect(refusal('--period-ms=50 --lab-transport=ros2 --dds-domain=1')).toEqual({
      code: 'HLC_CONFIG_MIXED_DOMAIN',
      sentence:
        'The lab side and the controller side are both on DDS domain 1, one with plain DDS and one with ROS 2, and one process cannot open a domain both ways; give --dds-domain and --domain-number different values.',
    });
  });

  it.each(['233', 'one', '-1'])('refuse ROS_DOMAIN_ID=%s', (value) => {
    const environment = { ROS_DOMAIN_ID: value };
    expect(refusal('--period-ms=50 --lab-transport=ros2', { environment })).toEqual({
      code: 'HLC_CONFIG_ROS_DOMAIN',
      sentence: `The value "${value}" of ROS_DOMAIN_ID is refused: it must be a whole number from 0 to 232.`,
    });
  });
});

describe('a value that would have no effect', () => {
  it.each([
    ['--transport=ros2', '--interface=eth0', 'a side other than rclnodejs'],
    ['--lab-transport=ros2', '--dds-initial-peer=10.0.0.1', '--lab-side=dds or --lab-side=ros2'],
  ])('with %s, %s, is refused and names %s', (transport, flag, needs) => {
    expect(refusal(`--period-ms=50 ${transport} ${flag}`)).toEqual({
      code: 'HLC_CONFIG_NEEDS',
      sentence: `${flag} has an effect only with ${needs}; add that, or leave ${flag} out.`,
    });
  });

  it.each([
    ['--time-source=self', '--simulated-time'],
    ['--reply-timeout-ms=5', '--simulated-time'],
    ['--reply-timeout-policy=halt', '--simulated-time'],
    ['--real-time-factor=0.5', '--simulated-time and --time-source=self'],
    ['--steps-until=5', '--simulated-time and --time-source=self'],
    [
      '--parameter-timeout-ms=100',
      'a period from the lab (without --period-ms and --period-nanoseconds)',
    ],
  ])('in real time, %s, is refused and names %s', (flag, needs) => {
    expect(refusal(`--period-ms=50 ${flag}`)).toEqual({
      code: 'HLC_CONFIG_NEEDS',
      sentence: `${flag} has an effect only with ${needs}; add that, or leave ${flag} out.`,
    });
  });

  it.each([
    ['--real-time-factor=0.5', '--simulated-time and --time-source=self'],
    ['--steps-until=5', '--simulated-time and --time-source=self'],
    ['--reply-timeout-policy=drop', 'a --reply-timeout-ms above 0'],
    [
      '--parameter-timeout-ms=100',
      'a period from the lab (without --period-ms and --period-nanoseconds)',
    ],
  ])('in simulated time, %s, is refused and names %s', (flag, needs) => {
    expect(refusal(`--period-ms=50 --simulated-time ${flag}`)).toEqual({
      code: 'HLC_CONFIG_NEEDS',
      sentence: `${flag} has an effect only with ${needs}; add that, or leave ${flag} out.`,
    });
  });

  it('in simulated time, --resume=trigger, is refused and names real time', () => {
    expect(refusal('--period-ms=50 --simulated-time --resume=trigger')).toEqual({
      code: 'HLC_CONFIG_NEEDS',
      sentence:
        '--resume=trigger has an effect only with real time (without --simulated-time); add that, or leave --resume=trigger out.',
    });
  });

  it('is named with its place', () => {
    const environment = { HLC_MIDDLEWARE_STEPS_UNTIL: '5' };
    expect(refusal('--period-ms=50', { environment }).sentence).toMatch(
      /^HLC_MIDDLEWARE_STEPS_UNTIL=5 has an effect only with /,
    );
    const files = { f: 'period-ms: 50\nreal-time-factor: 2' };
    expect(refusal('--config=f', { files }).sentence).toMatch(
      /^"real-time-factor: 2" \(f:2\) has an effect only with /,
    );
  });
});

it.each(['--stop-after-ms=99', '--guard --guard-after-ms=99'])(
  'A time in which a punctual controller or middleware shows nothing is refused: %s',
  (flags) => {
    expect(() => parse(`--period-ms=49.5 ${flags}`)).not.toThrow();
    const [name] = flags.split(' ').at(-1)?.split('=') ?? [];
    expect(refusal(`--period-ms=50 ${flags}`)).toEqual({
      code: 'HLC_CONFIG_VALUE',
      sentence: `The value "99" of ${name} is refused: it must be at least two periods, 100 ms.`,
    });
  },
);

it('A middleware without the parameters of a lab needs a period', () => {
  expect(refusal('--simulated-time --time-source=self --vehicle-ids=1,2')).toEqual({
    code: 'HLC_CONFIG_PERIOD_MISSING',
    sentence:
      'The period is not given, and with --time-source=self no lab is asked for it; give it with --period-ms, for example --period-ms=50.',
  });
});

it('Every refusal ends with exit code 2', () => {
  for (const commandLine of [
    '--x',
    'x',
    '--periods',
    '--periods=x',
    '--admit=all',
    '--config=x',
    '--steps-until=5',
    '--simulated-time --time-source=self',
    '--period-ms=1 --offset-nanoseconds=1000000',
    '--dds-domain=1',
  ]) {
    expect(() => parse(commandLine)).toThrow(expect.objectContaining({ exitCode: 2 }) as HlcError);
  }
});
