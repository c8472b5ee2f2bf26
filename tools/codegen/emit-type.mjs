import { minSize } from './model.mjs';
import { fileStem } from './naming.mjs';

/** @typedef {import('./model.mjs').IdlType} IdlType */
/** @typedef {import('./model.mjs').EnumType} EnumType */
/** @typedef {import('./model.mjs').StructType} StructType */
/** @typedef {import('./model.mjs').ElementType} ElementType */
/** @typedef {import('./model.mjs').Field} Field */

/**
 * The TypeScript module of one type.
 * @param {IdlType} type
 * @returns {string}
 */
export function emitType(type) {
  const head = `// Generated from idl/${type.idlFile} by tools/codegen; changes here are lost.\n`;
  return head + (type.kind === 'enum' ? emitEnum(type) : emitStruct(type));
}

/** @param {EnumType} type */
function emitEnum(type) {
  const { name } = type;
  const values = type.values.map((value, i) => `${doc(value.doc, '  ')}  ${value.name}: ${i},\n`);
  return `
${doc(type.doc)}export const ${name} = {
${values.join('')}} as const;

${doc(type.doc)}export type ${name} = (typeof ${name})[keyof typeof ${name}];
`;
}

/** @param {StructType} type */
function emitStruct(type) {
  const { name, fields } = type;
  const declarations = fields.map(
    (field) => `${doc(field.doc, '  ')}  ${field.name}: ${tsType(field)};\n`,
  );
  const reads = fields.map((field) => `    ${field.name}: ${readField(field)},\n`);
  const writes = fields.map((field) => writeField(field, `${name}.${field.name}`));
  const zeros = fields.map((field) => `    ${field.name}: ${zeroField(field)},\n`);
  return `${imports(type)}
${doc(type.doc)}export interface ${name} {
${declarations.join('')}}

/** Reads a nested ${name}. @throws CdrError */
export function read${name}(r: CdrReader): ${name} {
  return {
${reads.join('')}  };
}
${sequenceReaders(type)}
/** Writes a nested ${name}. @throws RangeError when a field does not fit its IDL type. */
export function write${name}(w: CdrWriter, v: ${name}): void {
${writes.join('')}}

/** A ${name} with every field zero, empty or false. */
export function zero${name}(): ${name} {
  return {
${zeros.join('')}  };
}
${type.topic ? emitCodec(type) : ''}`;
}

/** @param {StructType} type */
function imports({ name, topic, fields }) {
  const lines = topic
    ? [
        "import { CdrReader } from '../cdr-reader.js';",
        "import { sharedWriter, type CdrWriter } from '../cdr-writer.js';",
        "import type { Codec } from '../codec.js';",
      ]
    : [
        "import type { CdrReader } from '../cdr-reader.js';",
        "import type { CdrWriter } from '../cdr-writer.js';",
      ];
  /** @type {Set<string>} */
  const seen = new Set([name]);
  for (const { element } of fields) {
    if (element.kind !== 'struct' && element.kind !== 'enum') continue;
    if (seen.has(element.name)) continue;
    seen.add(element.name);
    const n = element.name;
    const zeroUsed = fields.some((field) => field.element === element && !field.sequence);
    const names =
      element.kind === 'enum'
        ? [`type ${n}`]
        : [`read${n}`, `write${n}`, ...(zeroUsed ? [`zero${n}`] : []), `type ${n}`];
    lines.push(`import { ${names.join(', ')} } from './${fileStem(n)}.js';`);
  }
  return `${lines.join('\n')}\n`;
}

/** @param {Field} field */
function tsType({ element, sequence }) {
  if (isOctets(element, sequence)) return 'Uint8Array';
  return tsElementType(element) + (sequence ? '[]' : '');
}

/** @param {ElementType} element */
function tsElementType(element) {
  if (element.kind === 'string') return 'string';
  if (element.kind !== 'primitive') return element.name;
  if (element.name === 'bool') return 'boolean';
  return element.name.endsWith('int64') ? 'bigint' : 'number';
}

/** @param {ElementType} element @param {boolean} sequence */
function isOctets(element, sequence) {
  return sequence && element.kind === 'primitive' && element.name === 'uint8';
}

/** @param {Field} field */
function readField({ name, element, sequence, bound }) {
  if (isOctets(element, sequence)) return `r.octets(${bound ?? ''})`;
  return sequence ? `read_${name}(r)` : readElement(element);
}

/** @param {ElementType} element */
function readElement(element) {
  switch (element.kind) {
    case 'struct':
      return `read${element.name}(r)`;
    case 'enum':
      return `r.enumeration(${element.values.length - 1}) as ${element.name}`;
    case 'string':
      return 'r.string()';
    case 'primitive':
      return `r.${method(element.name)}()`;
  }
}

/** @param {StructType} type */
function sequenceReaders({ fields }) {
  return fields
    .filter(({ element, sequence }) => sequence && !isOctets(element, sequence))
    .map(
      (field) => `
function read_${field.name}(r: CdrReader): ${tsType(field)} {
  const count = r.sequenceLength(${[minSize(field.element), ...boundOf(field)].join(', ')});
  const elements: ${tsType(field)} = [];
  for (let i = 0; i < count; i++) elements.push(${readElement(field.element)});
  return elements;
}
`,
    )
    .join('');
}

/** @param {Field} field @param {string} label */
function writeField(field, label) {
  const { name, element, sequence } = field;
  const args = [`v.${name}`, `'${label}'`, ...boundOf(field)].join(', ');
  if (isOctets(element, sequence)) return `  w.octets(${args});\n`;
  if (!sequence) return `  ${writeElement(element, `v.${name}`, label)}\n`;
  return (
    `  w.sequenceLength(${args});\n` +
    `  for (const e of v.${name}) ${writeElement(element, 'e', label)}\n`
  );
}

/** The bound of a sequence as an argument, if it has one. @param {Field} field */
function boundOf({ bound }) {
  return bound === undefined ? [] : [bound];
}

/** @param {ElementType} element @param {string} value @param {string} label */
function writeElement(element, value, label) {
  switch (element.kind) {
    case 'struct':
      return `write${element.name}(w, ${value});`;
    case 'enum':
      return `w.enumeration(${value}, ${element.values.length - 1}, '${label}');`;
    case 'string':
      return `w.string(${value}, '${label}');`;
    case 'primitive':
      return `w.${method(element.name)}(${value}, '${label}');`;
  }
}

/** @param {Field} field */
function zeroField({ element, sequence }) {
  if (isOctets(element, sequence)) return 'new Uint8Array()';
  if (sequence) return '[]';
  switch (element.kind) {
    case 'struct':
      return `zero${element.name}()`;
    case 'enum':
      return '0';
    case 'string':
      return "''";
    case 'primitive':
      return { boolean: 'false', bigint: '0n', number: '0' }[tsElementType(element)] ?? '0';
  }
}

/** The method of the reader and the writer. @param {string} primitive */
function method(primitive) {
  return primitive === 'bool' ? 'boolean' : primitive;
}

/** @param {StructType} type */
function emitCodec({ name, keyed }) {
  return `
/** Codec of {@link ${name}}. */
export const ${name}Codec: Codec<${name}> = {
  typeName: '${name}',
  keyed: ${keyed},
  decode(bytes) {
    const r = new CdrReader(bytes);
    const value = read${name}(r);
    r.end();
    return value;
  },
  encode(value) {
    write${name}(sharedWriter.begin(), value);
    return sharedWriter.finish();
  },
  encodeShared(value) {
    write${name}(sharedWriter.begin(), value);
    return sharedWriter.finishShared();
  },
  zero: zero${name},
};
`;
}

/** @param {string[]} lines @param {string} [indent] */
function doc(lines, indent = '') {
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
