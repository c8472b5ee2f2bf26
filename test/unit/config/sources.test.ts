import { describe, expect, it } from 'vitest';

import { parse, refusal } from './parse.js';

const file = (text: string): { files: Record<string, string> } => ({ files: { 'lab.yaml': text } });

describe('the order of the sources', () => {
  const surroundings = {
    environment: { HLC_MIDDLEWARE_NODE_ID: 'variable', HLC_MIDDLEWARE_DDS_DOMAIN: '7' },
    files: { 'lab.yaml': 'node-id: file\ndds-domain: 8\nperiods: 9\nperiod-ms: 20\n' },
    presets: { nodeId: 'preset', periods: '10', periodMs: '30', table: 'off' },
  } as const;

  it('is flag, environment, file, preset, default', () => {
    expect(parse('--config=lab.yaml --node-id=flag', surroundings)).toMatchObject({
      nodeId: 'flag',
      sides: { lab: { domainId: 7 }, controller: { domainId: 1 } },
      session: { periods: 9, periodNs: 20_000_000n },
      output: { table: 'off' },
    });
  });

  it('holds for the name of the file as well', () => {
    const files = { 'a.yaml': 'period-ms: 1', 'b.yaml': 'period-ms: 2' };
    const environment = { HLC_MIDDLEWARE_CONFIG: 'a.yaml' };
    expect(parse('', { environment, files }).session.periodNs).toBe(1_000_000n);
    expect(parse('--config b.yaml', { environment, files }).session.periodNs).toBe(2_000_000n);
  });

  it('leaves a value alone that a more binding source sets aside', () => {
    const environment = { HLC_MIDDLEWARE_PERIODS: 'nonsense' };
    expect(parse('--period-ms=5 --periods=3', { environment }).session.periods).toBe(3);
  });

  it('counts alternatives as one value', () => {
    const environment = { HLC_MIDDLEWARE_VEHICLE_IDS: '4,5', HLC_MIDDLEWARE_PERIOD_MS: '10' };
    expect(parse('--vehicle-id=3 --period-nanoseconds=200000', { environment })).toMatchObject({
      session: { vehicleIds: [3], periodNs: 200_000n },
    });
    expect(parse('--vehicle-id=-1', { environment })).toMatchObject({
      session: { vehicleIds: [4, 5] },
    });
  });
});

describe('the environment', () => {
  it('counts an empty variable as not set, and leaves foreign ones alone', () => {
    const environment = { HLC_MIDDLEWARE_PERIODS: '', HLC_OTHER: 'x', HLC_MIDDLEWARE_DEBUG: '1' };
    expect(parse('--period-ms=50', { environment }).session.periods).toBeNull();
  });

  it('names the variable of a bad value', () => {
    const environment = { HLC_MIDDLEWARE_DDS_DOMAIN: '300' };
    expect(refusal('--period-ms=50', { environment })).toEqual({
      code: 'HLC_CONFIG_VALUE',
      sentence:
        'The value "300" of HLC_MIDDLEWARE_DDS_DOMAIN is refused: it must be a whole number from 0 to 232.',
    });
  });

  it.each([
    ['HLC_MIDDLEWARE_PERIODMS', 'HLC_MIDDLEWARE_PERIOD_MS'],
    ['HLC_MIDDLEWARE_period_ms', 'HLC_MIDDLEWARE_PERIOD_MS'],
  ])('refuses the unknown variable %s and suggests %s', (variable, nearest) => {
    expect(refusal('--period-ms=50', { environment: { [variable]: '5' } })).toEqual({
      code: 'HLC_CONFIG_UNKNOWN_NAME',
      sentence: `Unknown environment variable ${variable}; did you mean ${nearest}? "hlc-middleware run --help" lists all names.`,
    });
  });
});

describe('the configuration file', () => {
  it('takes values and lists in either spelling', () => {
    const text = [
      '# The lab on the second floor',
      'vehicle_ids: [5, 2]',
      'active-vehicle-ids: 1,2,5',
      'period-ms: 0.5',
      "node-id: 'middleware 2'",
      'wait-for-start: false',
      'dds-initial-peer: []',
      'interface: eth0 # the switch',
    ].join('\n');
    expect(parse('--config=lab.yaml', file(text))).toMatchObject({
      session: {
        vehicleIds: [2, 5],
        activeVehicleIds: [1, 2, 5],
        periodNs: 500_000n,
        time: { waitForStart: false },
      },
      nodeId: 'middleware 2',
      sides: { lab: { networkInterface: 'eth0' } },
    });
  });

  it('keeps whole numbers beyond the precision of a double', () => {
    const text = 'offset-nanoseconds: 9007199254740993\nperiod-ms: 50';
    expect(refusal('--config=lab.yaml', file(text)).sentence).toContain('9007199254740993 ns');
    const { offsetNs } = parse('--config=lab.yaml --simulated-time', file(text)).session;
    expect(offsetNs).toBe(9_007_199_254_740_993n);
  });

  it('may be JSON, and may be empty', () => {
    const json = '{ "vehicle-ids": [1, 2], "period-ms": 50 }';
    expect(parse('--config=lab.yaml', file(json)).session.vehicleIds).toEqual([1, 2]);
    expect(
      parse('--config=lab.yaml --period-ms=5', file('# nothing\n')).session.vehicleIds,
    ).toEqual([1]);
  });

  it.each([
    [
      'node-id: a\nperiod-ms: fast',
      'HLC_CONFIG_VALUE',
      'The value "fast" of "period-ms" (lab.yaml:2) is refused: it must be a number of milliseconds from 0.1 to 86400000 with at most 6 decimals.',
    ],
    [
      'period-ms:',
      'HLC_CONFIG_VALUE',
      'The value "" of "period-ms" (lab.yaml:1) is refused: it must be a number of milliseconds from 0.1 to 86400000 with at most 6 decimals.',
    ],
    [
      'period-ms: 50\n\nvehicel_ids: [1]',
      'HLC_CONFIG_UNKNOWN_NAME',
      'Unknown key "vehicel_ids" in lab.yaml:3; did you mean "vehicle-ids"? "hlc-middleware run --help" lists all names.',
    ],
    [
      'period-ms: 50\nconfig: other.yaml',
      'HLC_CONFIG_UNKNOWN_NAME',
      'Unknown key "config" in lab.yaml:2; "hlc-middleware run --help" lists all names.',
    ],
    [
      'period-ms: 50\nperiod_ms: 60',
      'HLC_CONFIG_CONFLICT',
      '"period-ms: 50" (lab.yaml:1) and "period-ms: 60" (lab.yaml:2) exclude each other; give only one of them.',
    ],
    [
      'period-ms: { fast: 1 }',
      'HLC_CONFIG_FILE_CONTENT',
      'The configuration file is wrong at lab.yaml:1 ("period-ms" must have a value or a list of values); correct that line.',
    ],
    [
      'node-id: a\nvehicle-ids:\n  - [1]',
      'HLC_CONFIG_FILE_CONTENT',
      'The configuration file is wrong at lab.yaml:2 ("vehicle-ids" must have a value or a list of values); correct that line.',
    ],
    [
      '\n- period-ms',
      'HLC_CONFIG_FILE_CONTENT',
      'The configuration file is wrong at lab.yaml:2 (it must hold "key: value" lines); correct that line.',
    ],
    [
      'period-ms: 50\nperiod-ms: 60',
      'HLC_CONFIG_FILE_CONTENT',
      'The configuration file is wrong at lab.yaml:2 (Map keys must be unique); correct that line.',
    ],
  ])('%j is refused with the line', (text, code, sentence) => {
    expect(refusal('--config=lab.yaml', file(text))).toEqual({ code, sentence });
  });

  it('that is no YAML is refused with the line', () => {
    const { code, sentence } = refusal(
      '--config=lab.yaml',
      file('period-ms: 50\nvehicle-ids: [1, 2'),
    );
    expect(code).toBe('HLC_CONFIG_FILE_CONTENT');
    expect(sentence).toMatch(/^The configuration file is wrong at lab\.yaml:2 \(/);
  });

  it('that cannot be read is named with the cause', () => {
    expect(refusal('--config=none.yaml')).toEqual({
      code: 'HLC_CONFIG_FILE_READ',
      sentence:
        'The configuration file "none.yaml" cannot be read (ENOENT: no such file or directory, open \'none.yaml\'); check the path that --config or HLC_MIDDLEWARE_CONFIG gives.',
    });
  });
});
