// Builds the page of the observer. It is served from its own files; no other machine is needed.

import path from 'node:path';
import { defineConfig } from 'vite';
import { root } from './paths.mjs';

export default defineConfig({
  root: path.join(root, 'src/observe/page'),
  base: './',
  build: {
    outDir: path.join(root, 'dist/observe/page'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
  },
});
