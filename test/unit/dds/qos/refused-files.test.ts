import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ExitCode } from '../../../../src/errors/index.js';
import { loadQosFile, parseQosFile } from '../../../../src/dds/qos/index.js';
import { inProfile, pathOf, refusalOf, textOf } from './fixtures.js';

// The first line of each file says what it must be refused with.
const files = readdirSync(pathOf('invalid')).map((name) => {
  const [, code, line] =
    /^<!-- (HLC_QOS_\w+) line (\d+) -->\n/.exec(textOf(`invalid/${name}`)) ?? [];
  return { name, code, line: Number(line) };
});

describe('a QoS file that cannot be used', () => {
  it('has an example for every way of going wrong', () => {
    expect(new Set(files.map(({ code }) => code))).toEqual(
      new Set([
        'HLC_QOS_XML',
        'HLC_QOS_ELEMENT',
        'HLC_QOS_VALUE',
        'HLC_QOS_DUPLICATE',
        'HLC_QOS_BASE',
        'HLC_QOS_INCONSISTENT',
      ]),
    );
  });

  it.each(files)('is refused: $name with $code in line $line', ({ name, code, line }) => {
    const path = pathOf(`invalid/${name}`);
    const error = refusalOf(() => loadQosFile(path));
    expect(error).toMatchObject({ code, exitCode: ExitCode.usage, details: { file: path, line } });
    expect(error.message).toMatch(/accepted( is)?:? ./);
    expect(error.message.startsWith(`${path}:${line}: `)).toBe(true);
  });

  it('is named together with the cause when it cannot be read', () => {
    const error = refusalOf(() => loadQosFile(pathOf('invalid/none.xml')));
    expect(error).toMatchObject({ code: 'HLC_QOS_FILE', exitCode: ExitCode.usage });
    expect(error.message).toContain('ENOENT');
  });

  it('is refused when it has more than 1 MiB, before it is read', () => {
    const text = inProfile(`<!-- ${'x'.repeat(1024 * 1024)} -->`);
    expect(refusalOf(() => parseQosFile(text, 'large.xml')).message).toContain('1 MiB');
  });
});

describe('the sentence of a refusal', () => {
  const sentence = (inner: string) =>
    refusalOf(() => parseQosFile(inProfile(inner), 'lab.xml')).message;

  it('names the element by its whole path and the accepted tokens', () => {
    expect(sentence('<topic_qos><history><kind>KEEP</kind></history></topic_qos>')).toBe(
      'lab.xml:1: dds/qos_library[L]/qos_profile[P]/topic_qos/history/kind: the value "KEEP" is not accepted; accepted: KEEP_LAST_HISTORY_QOS, KEEP_ALL_HISTORY_QOS.',
    );
  });

  it('names the policies that an entity has when it meets another one', () => {
    const message = sentence('<participant_qos><history/></participant_qos>');
    expect(message).toContain('the element <history> is not known here');
    expect(message).toContain('accepted: <user_data>, <entity_factory>.');
  });

  it('names the attributes that may stand there', () => {
    expect(sentence('<topic_qos topicfilter="a"/>')).toContain(
      'the attribute topicfilter is not known here; accepted: name, base_name, topic_filter.',
    );
  });

  it('names the profiles that can be inherited from', () => {
    const text = inProfile('', 'base_name="BuiltinQosLib::Generic.Strict"');
    const loaded = parseQosFile(
      '<dds><qos_library name="A"><qos_profile name="One"/></qos_library></dds>',
      'a.xml',
    );
    expect(refusalOf(() => parseQosFile(text, 'b.xml', loaded)).message).toContain(
      'cannot inherit from "BuiltinQosLib::Generic.Strict" (it does not exist); accepted: A::One.',
    );
  });

  it('names the line of a start tag that goes over several lines', () => {
    const text = '<dds\n>\n<qos_library\n name="L"\n other="x"/>\n</dds>';
    expect(refusalOf(() => parseQosFile(text, 'a.xml')).details).toMatchObject({ line: 3 });
    const windows = text.replaceAll('\n', '\r\n');
    expect(refusalOf(() => parseQosFile(windows, 'a.xml')).details).toMatchObject({ line: 3 });
  });
});
