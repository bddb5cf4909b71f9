import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The common part of the heads of both pages; each page adds its title and its script. */
const HEAD = readFileSync(join(import.meta.dirname, 'head.html'), 'utf8');
const PLACE = '<!-- head.html -->';

/**
 * Puts the common head into a page, before its styles and scripts are bundled.
 * @type {import('vite').Plugin}
 */
const commonHead = {
  name: 'common-head',
  transformIndexHtml: {
    order: 'pre',
    handler(html, { filename }) {
      if (!html.includes(PLACE)) throw new Error(`${filename} has no place for ${PLACE}`);
      return html.replace(PLACE, () => HEAD.trim());
    },
  },
};

/**
 * Builds the page for people and the page of the API to static files. Addresses are relative, so
 * that the files work behind any path prefix.
 * @type {import('vite').UserConfig}
 */
export const config = {
  root: import.meta.dirname,
  configFile: false,
  base: './',
  logLevel: 'warn',
  plugins: [commonHead],
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
