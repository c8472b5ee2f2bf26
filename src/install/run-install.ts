import { firstCardAddress } from '../dds/index.js';
import { applyChanges } from './change.js';
import { runningInstallation } from './installation.js';
import { openLabFolder } from './lab-folder.js';
import { planInstall, planUndo } from './plan.js';

/** What the flags of `install-cpm-lab` say. */
export interface InstallRequest {
  /** Folder of the lab's software. */
  readonly folder: string;
  /** Folder of the packages for the computers of the lab. */
  readonly packages: string;
  /** False: only print what would be done. */
  readonly apply: boolean;
  /** Put the original in its place again. */
  readonly undo: boolean;
}

/**
 * Installs this middleware in the place of the original, or takes that back.
 * @param write takes what it prints, as it happens.
 * @throws HlcError `HLC_INSTALL_FOLDER`, `HLC_INSTALL_CHANGE`.
 */
export function runInstall(request: InstallRequest, write: (text: string) => void): void {
  const { packages, apply, undo } = request;
  const lab = openLabFolder(request.folder);
  const installation = runningInstallation();
  const options = { lab, installation, packages, ownAddress: firstCardAddress() };
  const changes = undo ? planUndo(options) : planInstall(options);
  if (changes.length === 0) write('Nothing to do.\n');
  else if (apply) applyChanges(changes, ({ text }) => write(`done: ${text}\n`));
  else {
    for (const { text } of changes) write(`would ${text}\n`);
    write('Nothing was changed. The same command with --apply makes these changes.\n');
  }
}
