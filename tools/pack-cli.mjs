// pack-cli.mjs FOLDER: writes the light package from the build: the command line with the stdio
// server, and the client with its types. It has no dependencies and no install scripts.
import './node-version.mjs';

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

import { build } from 'esbuild';
import ts from 'typescript';

import { noticeOf } from './bundled-licenses.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node tools/pack-cli.mjs FOLDER');
  process.exit(2);
}
const target = resolve(folder);
mkdirSync(target, { recursive: true });

/** The table of tokens: two thirds of the package unless it is compressed. */
const TOKENS = 'o200k.tiktoken.br';
const tokenTable = {
  name: 'token-table',
  setup({ onLoad }) {
    // The bundler finds the source of a built module by the paths of the compiler's settings.
    onLoad({ filter: /chunk[\\/]o200k-file\.[jt]s$/ }, async () => {
      const built = join(root, 'dist/libs/ingest/chunk/o200k-file.js');
      const { readO200kFile } = await import(pathToFileURL(built).href);
      mkdirSync(join(target, 'bin'), { recursive: true });
      writeFileSync(join(target, 'bin', TOKENS), brotliCompressSync(readO200kFile()));
      return {
        contents:
          "import { readFileSync } from 'node:fs';" +
          "import { brotliDecompressSync } from 'node:zlib';" +
          `const packed = readFileSync(new URL('./${TOKENS}', import.meta.url));` +
          'export const readO200kFile = () => brotliDecompressSync(packed);',
      };
    });
  },
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'node20',
  minify: true,
  // Escapes would make the token tables of the tools a quarter larger.
  charset: 'utf8',
  legalComments: 'linked',
  logLevel: 'error',
  metafile: true,
};
const commandLine = await build({
  ...shared,
  entryPoints: { footnote: 'dist/apps/cli/main.js' },
  platform: 'node',
  plugins: [tokenTable],
  splitting: true,
  outdir: join(target, 'bin'),
  banner: {
    // Packages of the old module system load modules of Node by `require`.
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
});
const client = await build({
  ...shared,
  entryPoints: { client: 'dist/libs/client/index.js' },
  platform: 'neutral',
  mainFields: ['module', 'main'],
  outdir: target,
});
writeTypes();
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
const inputs = [commandLine, client].flatMap(({ metafile }) => bundledFiles(metafile));
writeFileSync(join(target, 'NOTICE'), noticeOf(root, inputs));
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
cpSync(join(root, 'docs/command-line.md'), join(target, 'README.md'));

/** Returns the files that the outputs contain. Files without remaining bytes are not in them. */
function bundledFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
  );
}

function writeTypes() {
  const program = ts.createProgram([join(root, 'libs/client/index.ts')], {
    declaration: true,
    emitDeclarationOnly: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    rootDir: join(root, 'libs/client'),
    outDir: join(target, 'types'),
  });
  const { diagnostics } = program.emit();
  if (diagnostics.length > 0) throw new Error('The types of the client were not written');
}

/** Returns the manifest. The scope is a choice that is not registered yet, so it stays private. */
function manifest() {
  const { version, license, description } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return {
    name: '@footnote-search/cli',
    version,
    private: true,
    type: 'module',
    license,
    description,
    engines: { node: '>=20' },
    bin: { footnote: './bin/footnote.js' },
    exports: { './client': { types: './types/index.d.ts', default: './client.js' } },
  };
}
