import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The page is served from its own files; no other machine is needed. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    outDir: fileURLToPath(new URL('../../../dist/observe/page', import.meta.url)),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
  },
});
