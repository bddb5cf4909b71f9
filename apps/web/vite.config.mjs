import { join } from 'node:path';

/**
 * Builds the page for people and the page of the API to static files. Addresses are relative, so
 * that the files work behind
 * any path prefix.
 * @type {import('vite').UserConfig}
 */
export const config = {
  root: import.meta.dirname,
  configFile: false,
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Inline files would need `data:` sources that the content security policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The page for people, and the page of the API at /docs.
    rolldownOptions: {
      input: ['index.html', 'docs.html'].map((name) => join(import.meta.dirname, name)),
    },
  },
};
