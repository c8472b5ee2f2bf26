import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { emitType } from '../../../tools/codegen/emit-type.mjs';
import { loadIdl } from '../../../tools/codegen/load-idl.mjs';
import { buildModel } from '../../../tools/codegen/model.mjs';
import { fileStem } from '../../../tools/codegen/naming.mjs';
import { syncFolder } from '../../../tools/codegen/write-changed.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlc-codegen-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const model = (idl: string) => buildModel([{ name: 'Test.idl', text: idl }]);
const emitted = (idl: string) => model(idl).map(emitType).join('\n');

describe('The IDL files', () => {
  it('come after those that they include, each once', () => {
    put('A.idl', '#ifndef A\n#define A\n#include "C.idl"\n#include "B.idl"\nA\n#endif\n');
    put('B.idl', '  #  include "C.idl"\nB\n');
    put('C.idl', 'C\n');
    put('notes.txt', '#include "Missing.idl"');
    const files = loadIdl(folder);
    expect(files.map(({ name }) => name)).toEqual(['C.idl', 'B.idl', 'A.idl']);
    expect(files.map(({ text }) => text.trim())).toEqual(['C', 'B', 'A']);
  });

  it('must not include each other, or a file that is not there', () => {
    put('A.idl', '#include "B.idl"\n');
    expect(() => loadIdl(folder)).toThrow('A.idl includes B.idl, which is not there.');
    put('B.idl', '#include "A.idl"\n');
    expect(() => loadIdl(folder)).toThrow('A.idl includes itself, by way of B.idl.');
  });
});

describe('The model', () => {
  it('knows topic types, keys and the least size of each type', () => {
    const types = model(`
      enum Kind { First, Second };
      @final @nested struct Part { double x; boolean b; };
      @final struct Whole { @key octet id; Part part; Kind kind; string name; sequence<Part> parts; };
    `);
    expect(types.find(({ name }) => name === 'Part')).toMatchObject({
      topic: false,
      keyed: false,
      minSize: 9,
    });
    expect(types.find(({ name }) => name === 'Whole')).toMatchObject({
      topic: true,
      keyed: true,
      minSize: 1 + 9 + 4 + 5 + 4,
    });
  });

  it.each([
    ['@final struct S { string<10> s; };', 'S.s: arrays, bounds of strings and @optional'],
    ['@final struct S { long s[5]; };', 'S.s: arrays, bounds of strings and @optional'],
    ['@final struct S { @optional long s; };', 'S.s: arrays, bounds of strings and @optional'],
    ['@final struct S { wstring s; };', 'S.s: the type wstring is not supported.'],
    ['@final struct S { };', 'S has no members.'],
    ['struct S { long s; };', 'S must be @final.'],
    ['@appendable struct S { long s; };', 'S must be @final.'],
    ['enum E { @value(3) A, B };', 'E: the values must be 0, 1, 2 and so on.'],
    ['module m { @final struct S { long s; }; };', 'not one struct or enum at global scope'],
  ])('refuses %s', (idl, message) => {
    expect(() => model(idl)).toThrow(message);
  });
});

describe('A generated module', () => {
  it('carries the comments of the IDL', () => {
    const text = emitted(`
      /** About the type. */
      @final
      struct Pose {
        /** About x. */
        @key long x;
        // Not for the reader of the API.
        double y;
        /**
         * About the list,
         * in two lines.
         */
        sequence<double> z;
      };
      /** About the enum. */
      enum Kind {
        /** About the first. */
        First,
        /** About the second. */
        Second
      };
    `);
    expect(text).toContain('/** About the type. */\nexport interface Pose {\n  /** About x. */\n');
    expect(text).toContain(
      '  x: number;\n  y: number;\n  /**\n   * About the list,\n   * in two lines.\n',
    );
    expect(text).toContain(
      '/** About the enum. */\nexport const Kind = {\n  /** About the first. */\n',
    );
    expect(text).toContain('  /** About the second. */\n  Second: 1,\n');
  });

  it('gives each IDL type its TypeScript type', () => {
    const text = emitted(`
      @final struct All {
        boolean a; octet b; short c; unsigned short d; long e; unsigned long f;
        long long g; unsigned long long h; float i; double j; string k;
        sequence<octet> l; sequence<string> m; sequence<long long> n; sequence<long, 5> o;
      };
    `);
    const fields = /export interface All \{\n([^}]*)\}/.exec(text)?.[1]?.split('\n');
    expect(fields?.map((line) => line.trim()).filter(Boolean)).toEqual([
      ...['a: boolean;', 'b: number;', 'c: number;', 'd: number;', 'e: number;', 'f: number;'],
      ...['g: bigint;', 'h: bigint;', 'i: number;', 'j: number;', 'k: string;'],
      ...['l: Uint8Array;', 'm: string[];', 'n: bigint[];', 'o: number[];'],
    ]);
    for (const call of ['r.octets()', 'r.sequenceLength(5)', 'r.int64()', 'r.float32()']) {
      expect(text).toContain(call);
    }
    expect(text).toContain('r.sequenceLength(4, 5)');
    expect(text).toContain("w.sequenceLength(v.o, 'All.o', 5)");
  });
});

describe('The name of a generated file', () => {
  it.each([
    ['VehicleStateList', 'vehicle-state-list'],
    ['HLCHello', 'hlc-hello'],
    ['CommonroadDDSGoalState', 'commonroad-dds-goal-state'],
    ['Pose2D', 'pose2d'],
  ])('of %s is %s', (typeName, stem) => {
    expect(fileStem(typeName)).toBe(stem);
  });
});

describe('The folder of generated files', () => {
  it('holds the generated files only, and unchanged ones keep their time stamps', () => {
    put('same.ts', 'same');
    put('stale.ts', 'stale');
    const before = statSync(join(folder, 'same.ts')).mtimeMs;
    const files = new Map([
      ['same.ts', 'same'],
      ['new.ts', 'new'],
    ]);
    expect(syncFolder(folder, files)).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(['new.ts', 'same.ts']);
    expect(readFileSync(join(folder, 'new.ts'), 'utf8')).toBe('new');
    expect(statSync(join(folder, 'same.ts')).mtimeMs).toBe(before);
    expect(syncFolder(folder, files)).toBe(0);
  });
});
