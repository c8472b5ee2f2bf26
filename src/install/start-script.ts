import { commandOf, type Installation } from './installation.js';

/** The second line of every script that this program writes. */
const mark = '# hlc-middleware: written by "hlc-middleware install-cpm-lab"';

/** Where a computer of the lab unpacks its package at boot. */
const unpackedPackage = '/tmp/software/middleware_package';

/** True for a script that this program wrote, by its first bytes. */
export function isOurScript(text: string): boolean {
  return text.startsWith(`#!/bin/sh\n${mark}`);
}

/** The script in the place of the original program on the computer with this installation. */
export function localScript(installation: Installation): string {
  return `#!/bin/sh\n${mark}\nexec ${commandOf(installation)} --compat=cpm-lab "$@"\n`;
}

/**
 * The script in the package for the computers of the lab. They copy it elsewhere, so it names the
 * folder of the package; `HLC_PACKAGE_FOLDER` overrides that.
 */
export function packagedScript(): string {
  return `#!/bin/sh
${mark}
package="\${HLC_PACKAGE_FOLDER:-${unpackedPackage}}/hlc-middleware"
export LD_LIBRARY_PATH="$package/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
if ! "$package/bin/node" --version >/dev/null; then
  echo "hlc-middleware: $package/bin/node does not start on this computer. If the file is missing, restart the computer: it unpacks the package at boot. Otherwise its system is older than that of the computer that made the package." >&2
  exit 1
fi
exec "$package/bin/node" "$package/dist/cli/main.js" --compat=cpm-lab "$@"
`;
}
