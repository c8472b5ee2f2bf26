// A participant of RTI Connext: node peer.mjs FOLDER FILE ROLE ID. FOLDER has RTI's connector in its
// node_modules, FILE is the text of application.mjs, ROLE is one of `participants` below, ID is
// that of the vehicle. Writes what it has received as JSON for each line of standard input.

import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setInterval } from 'node:timers';

/**
 * What is used of the connector.
 * @typedef {{ setString(field: string, value: string): void, setNumber(field: string, value: number): void, setFromJson(value: object): void }} Instance
 * @typedef {{ instance: Instance, write(): void }} Output
 * @typedef {{ getString(field: string): string, getNumber(field: string): number }} Sample
 * @typedef {{ take(): void, samples: { validDataIter: Iterable<Sample> } }} Input
 * @typedef {{ getOutput(name: string): Output, getInput(name: string): Input }} Connector
 */

const [folder = '', file = '', role = '', idText = ''] = process.argv.slice(2);
const id = Number(idText);
/** @type {(name: string) => unknown} */
const load = createRequire(path.join(folder, 'package.json'));
const { Connector } =
  /** @type {{ Connector: new (participant: string, file: string) => Connector }} */ (
    load('rticonnextdds-connector')
  );

const participants = {
  controller: 'Controller',
  guideController: 'GuideController',
  control: 'Control',
  vehicle: 'Vehicle',
};
const periodMs = 50;
const pollMs = 2;
const stateMs = 20;

/** @param {string} name */
const input = (name) => connector.getInput(`S::${name}`);
/** @param {string} name */
const output = (name) => connector.getOutput(`P::${name}`);

/** @param {Input} reader */
function taken(reader) {
  reader.take();
  return [...reader.samples.validDataIter];
}

/** @param {Instance} instance @param {bigint} ns */
function stamp(instance, ns) {
  instance.setString('header.create_stamp.nanoseconds', String(ns));
  instance.setString('header.valid_after_stamp.nanoseconds', String(ns));
}

const now = () => BigInt(Date.now()) * 1_000_000n;

/** Answers each start signal with a command. */
function controller() {
  const [lists, triggers] = [input('vehicleStateList'), input('systemTrigger')];
  const [ready, commands] = [output('readyStatus'), output('vehicleCommandDirect')];
  ready.instance.setString('source_id', `hlc_${id}`);
  ready.write();
  const received = { startSignals: 0, states: 0, triggers: 0 };
  const poll = () => {
    for (const list of taken(lists)) {
      received.startSignals++;
      received.states = list.getNumber('state_list#');
      commands.instance.setNumber('vehicle_id', id);
      stamp(commands.instance, BigInt(list.getString('t_now')));
      commands.write();
    }
    received.triggers += taken(triggers).length;
  };
  return { received, poll };
}

/** Answers requests for parameters, and starts each participant that signs in. */
function control() {
  const [requests, signIns] = [input('parameterRequest'), input('readyStatus')];
  const [parameters, triggers] = [output('parameter'), output('systemTrigger')];
  const received = { requests: 0, signIns: 0 };
  const poll = () => {
    for (const request of taken(requests)) {
      received.requests++;
      const name = request.getString('name');
      const value =
        name === 'middleware_period_ms'
          ? { type: 3, value_uint64_t: periodMs }
          : { type: 6, values_int32: [1, 2] };
      parameters.instance.setFromJson({ name, ...value });
      parameters.write();
    }
    const before = received.signIns;
    received.signIns += taken(signIns).length;
    if (before === 0 && received.signIns > 0) {
      triggers.instance.setString('next_start.nanoseconds', String(now()));
      triggers.write();
    }
  };
  return { received, poll };
}

/** Sends states, and counts its commands. */
function vehicle() {
  const [commands, states] = [input('vehicleCommandDirect'), output('vehicleState')];
  const received = { commands: 0 };
  let due = Date.now();
  const poll = () => {
    received.commands += taken(commands).filter(
      (command) => command.getNumber('vehicle_id') === id,
    ).length;
    if (Date.now() < due) return;
    due += stateMs;
    states.instance.setNumber('vehicle_id', id);
    stamp(states.instance, now());
    states.write();
  };
  return { received, poll };
}

if (!(role in participants)) throw new Error(`there is no role "${role}"`);
const known = /** @type {keyof typeof participants} */ (role);
const connector = new Connector(`Lab::${participants[known]}`, file);
const { received, poll } = { controller, guideController: controller, control, vehicle }[known]();
setInterval(poll, pollMs);
process.stdout.write('ready\n');
createInterface(process.stdin).on('line', () =>
  process.stdout.write(`${JSON.stringify(received)}\n`),
);
