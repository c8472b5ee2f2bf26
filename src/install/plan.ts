import { existsSync } from 'node:fs';
import path from 'node:path';
import { withHook, withoutHook } from './build-hook.js';
import { type Change, moveFile, removeFile, writeText } from './change.js';
import { isOurPackage, makePackage, packageName } from './computer-package.js';
import { commandOf, type Installation } from './installation.js';
import { type LabFolder, textOf } from './lab-folder.js';
import { isOurScript, localScript } from './start-script.js';

/** What is installed, and where. */
export interface InstallOptions {
  readonly lab: LabFolder;
  readonly installation: Installation;
  /** Folder of the packages for the computers of the lab. */
  readonly packages: string;
  /** IPv4 address of this computer for the QoS file; undefined without a network card. */
  readonly ownAddress: string | undefined;
}

const executable = 0o755;
const placeholder = /TEMPLATE_IP/g;

/**
 * What is to be done until this middleware is in the place of the original. The package is made anew
 * each time.
 */
export function planInstall(options: InstallOptions): readonly Change[] {
  return [
    ...programChanges(options),
    ...qosChanges(options),
    ...hookChanges(options),
    ...packageChanges(options),
  ];
}

/** What is to be done until the original is in its place again; none when it is. */
export function planUndo({ lab, packages }: InstallOptions): readonly Change[] {
  const changes: Change[] = [];
  const script = textOf(lab.buildScript) ?? '';
  const plain = withoutHook(script);
  if (plain !== script) changes.push(writeText(lab.buildScript, plain, 'as it was'));
  if (isOurScript(textOf(lab.program) ?? ''))
    changes.push(...putBack(lab.program, lab.keptProgram));
  const made = path.join(packages, packageName);
  if (isOurPackage(made)) changes.push(...putBack(made, keptPackage(packages)));
  return changes;
}

function putBack(file: string, kept: string): readonly Change[] {
  if (existsSync(kept)) return [moveFile(kept, file, 'the original is in its place again')];
  return [removeFile(file, 'there was no original; build the software of the lab')];
}

function programChanges({ lab, installation }: InstallOptions): readonly Change[] {
  const present = textOf(lab.program);
  const script = localScript(installation);
  if (present === script) return [];
  const isOriginal = present !== undefined && !isOurScript(present);
  return [
    ...(isOriginal ? [moveFile(lab.program, lab.keptProgram, 'the original is kept')] : []),
    writeText(lab.program, script, 'an executable script that starts this middleware', executable),
  ];
}

/** The control centre writes this file, too, but only when it starts the middleware on this computer. */
function qosChanges({ lab, ownAddress }: InstallOptions): readonly Change[] {
  if (existsSync(lab.qosFile) || ownAddress === undefined) return [];
  const text = (textOf(lab.qosTemplate) ?? '').replace(placeholder, ownAddress);
  return [writeText(lab.qosFile, text, 'scripts of users copy it from there')];
}

function hookChanges({ lab, installation, packages }: InstallOptions): readonly Change[] {
  const script = textOf(lab.buildScript) ?? '';
  const command = commandOf(installation);
  const hooked = withHook(script, { command, labFolder: lab.root, packages });
  if (hooked === script) return [];
  return [
    writeText(lab.buildScript, hooked, 'each build of the lab installs this middleware again'),
  ];
}

function packageChanges({ lab, installation, packages }: InstallOptions): readonly Change[] {
  if (!existsSync(packages)) return [];
  const file = path.join(packages, packageName);
  const isOriginal = existsSync(file) && !isOurPackage(file);
  return [
    ...(isOriginal ? [moveFile(file, keptPackage(packages), 'the original is kept')] : []),
    makePackage(file, installation, lab.qosTemplate),
  ];
}

function keptPackage(packages: string): string {
  return path.join(packages, `${packageName}.original`);
}
