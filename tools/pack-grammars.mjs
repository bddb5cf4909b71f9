// Creates `grammars/`: the compiled grammars of all languages, compressed, with their licenses and
// checksums. `node tools/pack-grammars.mjs` fetches the packages below with npm and rewrites the
// folder; only a new version or language needs it. The packages also contain C sources and native
// builds, which together are 100 times as large.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

import { root } from './prepare.mjs';

/** Packages, their exact versions, and the files to take, relative to the package. */
const SOURCES = [
  ...[
    'c@0.24.1',
    'elixir@0.3.5',
    'julia@0.23.1',
    'objc@3.0.2',
    'scala@0.24.0',
    'solidity@1.2.13',
  ].map((name) => ({
    spec: `tree-sitter-${name}`,
    files: [`tree-sitter-${name.split('@')[0]}.wasm`],
  })),
  {
    spec: 'tree-sitter-ocaml@0.24.2',
    files: ['tree-sitter-ocaml.wasm', 'tree-sitter-ocaml_interface.wasm'],
  },
  { spec: '@tree-sitter-grammars/tree-sitter-kotlin@1.1.0', files: ['tree-sitter-kotlin.wasm'] },
  { spec: '@tree-sitter-grammars/tree-sitter-lua@0.4.1', files: ['tree-sitter-lua.wasm'] },
  {
    spec: '@cursorless/tree-sitter-wasms@0.7.0',
    files: ['clojure', 'dart', 'haskell', 'hcl', 'r', 'swift', 'zig'].map(
      (name) => `out/tree-sitter-${name}.wasm`,
    ),
  },
  {
    spec: '@vscode/tree-sitter-wasm@0.3.1',
    files: [
      ...['bash', 'c-sharp', 'cpp', 'css', 'go', 'ini', 'java', 'javascript', 'php', 'powershell'],
      ...['python', 'regex', 'ruby', 'rust', 'tsx', 'typescript'],
    ].map((name) => `wasm/tree-sitter-${name}.wasm`),
  },
];

const target = join(root, 'grammars');
const scratch = mkdtempSync(join(tmpdir(), 'footnote-grammars-'));
try {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'licenses'), { recursive: true });
  const grammars = SOURCES.flatMap((source) => pack(source));
  grammars.sort((one, other) => (one.file < other.file ? -1 : 1));
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify({ grammars }, null, 2)}\n`);
  console.log(`${grammars.length} grammars in ${target}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Fetches a package and writes its grammars and its license. */
function pack({ spec, files }) {
  const folder = mkdtempSync(join(scratch, 'package-'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, spec], { cwd: folder });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', archive], { cwd: folder });
  const contents = join(folder, 'package');
  const { name, version, license } = JSON.parse(
    readFileSync(join(contents, 'package.json'), 'utf8'),
  );
  const text = readdirSync(contents).find((entry) => /^licen[cs]e/i.test(entry));
  if (text === undefined) throw new Error(`${spec} has no license file`);
  const licenseFile = `licenses/${name.replace(/^@/, '').replace('/', '-')}.txt`;
  writeFileSync(join(target, licenseFile), readFileSync(join(contents, text)));
  return files.map((path) => {
    const bytes = readFileSync(join(contents, path));
    const file = `${basename(path)}.br`;
    writeFileSync(join(target, file), compressed(bytes));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { file, bytes: bytes.length, sha256, package: name, version, license, licenseFile };
  });
}

function compressed(bytes) {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 10,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
