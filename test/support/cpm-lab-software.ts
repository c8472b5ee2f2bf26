import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

/** What the original program would be; it says so and ends. */
const originalProgram = '#!/bin/sh\necho original middleware "$@"\n';

/**
 * The build script of a lab, as far as an installation meets it: it writes the program, packs it for
 * the computers of the lab, and ends with unit tests, which may fail.
 */
const buildScript = `#!/bin/bash
set -e
BASH_DIR="$( cd "$( dirname "\${BASH_SOURCE[0]}" )" >/dev/null 2>&1 && pwd )"
cd \${BASH_DIR}
mkdir -p build middleware_package
cat > build/middleware.linked <<'PROGRAM'
${originalProgram}PROGRAM
chmod +x build/middleware.linked
mv build/middleware.linked build/middleware
cp build/middleware QOS_LOCAL_COMMUNICATION.xml.template middleware_package
tar -czf "$PACKAGES/middleware_package.tar.gz" middleware_package
rm -rf middleware_package
exit "\${UNIT_TESTS:-0}"
`;

const qosTemplate = `<dds><qos_library name="MatlabLibrary">
  <qos_profile name="LocalCommunicationProfile"><participant_qos><discovery><initial_peers>
    <element>localhost</element><element>30@TEMPLATE_IP</element>
  </initial_peers></discovery></participant_qos></qos_profile>
</qos_library></dds>
`;

/** The software of a lab in a folder of its own, and a folder for the packages of its computers. */
export function cpmLabSoftware() {
  const folder = path.join(temporaryFolder(), 'software');
  const packages = path.join(temporaryFolder(), 'nuc');
  mkdirSync(path.join(folder, 'middleware'), { recursive: true });
  mkdirSync(packages);
  const inMiddleware = (name: string) => path.join(folder, 'middleware', name);
  writeFileSync(inMiddleware('QOS_LOCAL_COMMUNICATION.xml.template'), qosTemplate);
  writeFileSync(inMiddleware('build.bash'), buildScript);
  chmodSync(inMiddleware('build.bash'), 0o755);
  return {
    folder,
    packages,
    packageFile: path.join(packages, 'middleware_package.tar.gz'),
    program: inMiddleware('build/middleware'),
    buildScript: inMiddleware('build.bash'),
    qosFile: inMiddleware('build/QOS_LOCAL_COMMUNICATION.xml'),
    original: { program: originalProgram, buildScript },
    /** Runs the build script, whose unit tests end with this code. */
    build: (unitTests = 0) => {
      const env = { ...process.env, PACKAGES: packages, UNIT_TESTS: String(unitTests) };
      return spawnSync('bash', [inMiddleware('build.bash')], { env, encoding: 'utf8' });
    },
    textOf: (file: string) => readFileSync(file, 'utf8'),
    isExecutable: (file: string) => (statSync(file).mode & 0o111) === 0o111,
  };
}
