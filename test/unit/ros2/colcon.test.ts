import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
/** Made by the set-up or by npm; colcon finds no package there, or a COLCON_IGNORE of their makers keeps it away. */
const made = ['node_modules', 'build', 'dist', '.git'];
const markers = ['package.xml', 'CMakeLists.txt', 'setup.py', 'Cargo.toml'];

/** The folders that colcon takes for packages: it goes into no package and into no ignored folder. */
function packagesBelow(folder: string): string[] {
  const names = readdirSync(folder);
  if (names.includes('COLCON_IGNORE')) return [];
  if (markers.some((marker) => names.includes(marker))) return [path.relative(root, folder)];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !made.includes(entry.name))
    .flatMap(({ name }) => packagesBelow(path.join(folder, name)));
}

it('a plain "colcon build" of a clone finds the packages for users, each once', () => {
  expect(packagesBelow(root).sort()).toEqual([
    'examples/ros2-cpp',
    'examples/ros2-python',
    'ros2/hlc_middleware',
    'ros2/hlc_middleware_msgs',
  ]);
});

it('the package of the program depends on Node.js', () => {
  const file = path.join(root, 'ros2/hlc_middleware/package.xml');
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('<depend>nodejs</depend>');
});
