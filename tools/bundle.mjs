// Puts the program, dist/cli/start.js with all that it imports, into a few files: dist/cli/main.js and
// the chunks beside it. Node needs more time to find and read 450 files than to run them.

import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './paths.mjs';

const folder = path.join(root, 'dist/cli');

for (const file of readdirSync(folder)) {
  if (file.startsWith('chunk-')) rmSync(path.join(folder, file));
}
const bundle = await rolldown({
  input: {
    main: path.join(folder, 'start.js'),
    // It runs in a thread of its own.
    'render-worker': path.join(root, 'dist/gateways/carla/sensors/render-worker.js'),
  },
  platform: 'node',
  // The one belongs to the ROS 2 of the user; the other reads a file that lies beside it.
  external: [/^rclnodejs/, '@foxglove/wasm-zstd'],
});
await bundle.write({
  dir: folder,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk-[name].js',
});
await bundle.close();
