import { parse } from '@foxglove/rosmsg';
import { MessageReader, MessageWriter } from '@foxglove/rosmsg2-serialization';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rosSchemas, rosTypes } from '../../src/messages/index.js';
import { rosFieldName } from '../../tools/codegen/ros-names.mjs';
import { messageCases } from '../unit/messages/message-arbitraries.js';

const folder = path.resolve('ros2/hlc_middleware_msgs/msg');

const typeNames = readdirSync(folder).map((file) => path.basename(file, '.msg'));
const textOf = (typeName: string) => readFileSync(path.join(folder, `${typeName}.msg`), 'utf8');

/** The definition of a type with those in it behind it, as recordings carry it. */
function definitionsOf(typeName: string) {
  return parse(rosSchemas[typeName] ?? '', { ros2: true });
}

/** The value with the field names of ROS 2. */
function inRos(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inRos);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rosFieldName(name), inRos(member)]),
  );
}

/** The value with each text changed like this. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((member) => withTexts(member, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withTexts(member, change)]),
  );
}
/** The reader of the library takes a byte order mark at the beginning of a text away. */
const withoutMark = (text: string) => text.replace(/^\uFEFF/, '');
/** Its writer counts the characters of a text, and not their bytes. */
const inAscii = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?');

/** Sequences of numbers are typed arrays to the reader. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

describe.each(messageCases)('The message file of $topic.typeName', ({ topic, values }) => {
  const { codec } = topic;
  const definitions = definitionsOf(topic.typeName);
  const reader = new MessageReader(definitions);
  const writer = new MessageWriter(definitions);

  it('reads the bytes of the codec as the values that they stand for', () => {
    const property = fc.property(values, (value) => {
      const read = reader.readMessage(codec.encode(value));
      expect(plain(read)).toEqual(withTexts(inRos(value), withoutMark));
      expect(reader.lastReadHadTrailingBytes()).toBe(false);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('writes the bytes of the codec', () => {
    const property = fc.property(values, (value) => {
      const ascii = withTexts(value, inAscii);
      const written = writer.writeMessage(inRos(ascii));
      expect(Buffer.from(written)).toEqual(Buffer.from(codec.encode(ascii)));
      expect(codec.decode(written)).toEqual(ascii);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe('The message files', () => {
  it('are one for each struct of idl/, and none for its enumerations', () => {
    const structs = readdirSync('idl')
      .filter((file) => file.endsWith('.idl'))
      .filter((file) => /^struct /m.test(readFileSync(path.join('idl', file), 'utf8')));
    expect(typeNames.sort()).toEqual(structs.map((file) => path.basename(file, '.idl')).sort());
  });

  it('have a constant for each enumerator, whose number is its place', () => {
    const constants = [...textOf('Parameter').matchAll(/^uint32 (TYPE_\w+)=(\d+)$/gm)];
    expect(constants.map(([, name, number]) => [name, Number(number)])).toEqual([
      ['TYPE_INVALID', 0],
      ['TYPE_BOOL', 1],
      ['TYPE_INT32', 2],
      ['TYPE_UINT64', 3],
      ['TYPE_DOUBLE', 4],
      ['TYPE_STRING', 5],
      ['TYPE_VECTOR_INT32', 6],
      ['TYPE_VECTOR_DOUBLE', 7],
    ]);
  });

  it('name the types in them with their package, since a bare Header is that of another one', () => {
    for (const typeName of typeNames) {
      const own = [...textOf(typeName).matchAll(/^([A-Z]\w*)(\[\])? /gm)];
      expect(own, typeName).toEqual([]);
    }
  });

  it('are known with a hash for each type of a topic', () => {
    expect(Object.keys(rosTypes).sort()).toEqual(
      [...new Set(messageCases.map(({ topic }) => topic.typeName))].sort(),
    );
    const hashes = Object.values(rosTypes).map((type) => type?.hash);
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const hash of hashes) expect(hash).toMatch(/^RIHS01_[0-9a-f]{64}$/);
  });
});
