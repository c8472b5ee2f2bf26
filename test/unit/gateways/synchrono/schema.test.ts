import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  messageTypes,
  stateSlots,
  tables,
  vehicleKinds,
  vehicleTables,
} from '../../../../src/gateways/synchrono/protocol/schema.js';

const text = readFileSync(new URL('../../../../proto/synchrono.fbs', import.meta.url), 'utf8');

/** The blocks of the schema by their full names, and what is in them. */
function blocksOf(kind: 'table' | 'union' | 'struct'): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  let namespace = '';
  const plain = text.replaceAll(/\/\/.*$/gm, '');
  const parts = /namespace ([\w.]+);|(table|union|struct|enum) (\w+)[^{]*\{([^}]*)\}/g;
  for (const [, space, what, name = '', body = ''] of plain.matchAll(parts)) {
    if (space !== undefined) namespace = space.replace(/^SynFlatBuffers\.?/, '');
    const full = namespace === '' ? name : `${namespace}.${name}`;
    if (what === kind)
      blocks.set(
        full,
        body.split(/[;,]/).flatMap((part) => part.trim() || []),
      );
  }
  return blocks;
}

/** A union has two slots: its type, and its value. */
function slotNames(fields: readonly string[] = []): string[] {
  return fields.flatMap((field) => {
    const [name = '', type = ''] = field.split(/[:=]/).map((part) => part.trim());
    return type === 'Type' ? [`${name}_type`, name] : [name];
  });
}

const tablesOfSchema = blocksOf('table');
const unions = blocksOf('union');
const namesBySlot = (slots: Readonly<Record<string, number>>) =>
  Object.entries(slots)
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name);

it.each(Object.entries(tables))('table %s has the slots of proto/synchrono.fbs', (name, slots) => {
  expect(namesBySlot(slots)).toEqual(slotNames(tablesOfSchema.get(name)));
});

it.each(Object.values(vehicleTables))('the tables of a $kind vehicle, too', (vehicle) => {
  const { kind, files, parts, stateType, descriptionType } = vehicle;
  const space = { wheeled: 'WheeledVehicle', tracked: 'TrackedVehicle', copter: 'Copter' }[kind];
  const state = [
    ...Object.entries(stateSlots),
    ...parts.map((p) => [p.name, p.posesSlot] as const),
  ];
  expect(namesBySlot(Object.fromEntries(state))).toEqual(
    slotNames(tablesOfSchema.get(`Agent.${space}.State`)),
  );
  const countNames = Object.values(vehicleKinds[kind].parts);
  expect([...files.map(([name]) => name), ...countNames]).toEqual(
    slotNames(tablesOfSchema.get(`Agent.${space}.Description`)),
  );
  expect(parts.map(({ countSlot }) => countSlot)).toEqual(
    countNames.map((_, index) => files.length + index),
  );
  const members = unions.get('Agent.Type') ?? [];
  expect(members[stateType - 1]).toBe(`${space}.State`);
  expect(members[descriptionType - 1]).toBe(`${space}.Description`);
});

it('the members of the union of messages are those of the schema', () => {
  const members = unions.get('Type') ?? [];
  expect(members).toHaveLength(7);
  expect(members[messageTypes.agentState - 1]).toBe('Agent.State');
  expect(members[messageTypes.agentDescription - 1]).toBe('Agent.Description');
  expect(members[messageTypes.simulationState - 1]).toBe('Simulation.State');
  expect(blocksOf('struct').get('AgentKey')).toEqual(['node_id:int', 'agent_id:int']);
});
