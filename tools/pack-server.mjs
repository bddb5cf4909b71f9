// pack-server.mjs FOLDER: writes the server package from the build. It has the apps, the files next
// to their code, a launcher and the lock of their dependencies, and no install scripts.
import './node-version.mjs';

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { noticeOf } from './bundled-licenses.mjs';
import { preparePgliteImage } from './pglite-image.mjs';
import { serverLock } from './server-lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node tools/pack-server.mjs FOLDER');
  process.exit(2);
}
const target = resolve(folder);
const CONTENT = [
  ...['api', 'mcp', 'pipeline', 'projector', 'standalone', 'witness'].map((app) => `apps/${app}`),
  'libs',
  'grammars',
  'read-model-image',
  'service-docs',
  'web',
];
/** Tests, maps and the demo, which indexes the checkout around it. */
const LEFT_OUT =
  /\.spec\.js$|\.js\.map$|^apps\/standalone\/demo(?:$|\/|\.js$)|^apps\/api\/write-openapi\.js$/;
/** Packages whose code the page contains; those of the service are dependencies. */
const IN_THE_PAGE = ['node_modules/preact/package.json'];

if (!existsSync(join(root, 'dist/.built'))) {
  console.error('There is no build; run npm run build first.');
  process.exit(1);
}
const project = readJson('package.json');
const runtimes = readJson('tools/node-runtimes.json');
// Only a current image is used at a first start.
await preparePgliteImage(root);
for (const part of CONTENT) {
  cpSync(join(root, 'dist', part), join(target, 'dist', part), {
    recursive: true,
    filter: (path) => !LEFT_OUT.test(relative(join(root, 'dist'), path).replaceAll(sep, '/')),
  });
}
keepEmptyFolders(join(target, 'dist/read-model-image'));
cpSync(join(root, 'grammars/licenses'), join(target, 'dist/grammars/licenses'), {
  recursive: true,
});
cpSync(join(root, 'grammars/manifest.json'), join(target, 'dist/grammars/manifest.json'));
mkdirSync(join(target, 'bin'), { recursive: true });
for (const path of ['server-package/footnote-server.mjs', 'runtime-env.mjs', 'runtime-env.json'])
  cpSync(join(root, 'tools', path), join(target, 'bin', path.slice(path.lastIndexOf('/') + 1)));
chmodSync(join(target, 'bin/footnote-server.mjs'), 0o755);
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
cpSync(join(root, 'docs/npm-packages.md'), join(target, 'README.md'));
writeFileSync(join(target, 'NOTICE'), noticeOf(root, IN_THE_PAGE));
writeJson('bin/programs.json', programs());
const manifest = serverManifest();
writeJson('package.json', manifest);
writeJson(
  'npm-shrinkwrap.json',
  serverLock(readJson('package-lock.json'), locked(manifest), entries()),
);

/** Writes a file into each empty folder, because npm packs no empty folders. */
function keepEmptyFolders(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.length === 0) writeFileSync(join(folder, '.keep'), '');
  for (const entry of entries.filter((each) => each.isDirectory()))
    keepEmptyFolders(join(folder, entry.name));
}

/** Returns the files of the package's programs by the name of their npm script. */
function programs() {
  const started = /^node tools\/launch\.mjs dist\/(apps\/\S+\.js)$/;
  return Object.fromEntries(
    Object.entries(project.scripts).flatMap(([name, script]) => {
      const file = started.exec(script)?.[1];
      return file === undefined || LEFT_OUT.test(file) ? [] : [[name, `dist/${file}`]];
    }),
  );
}

/** Returns the manifest. Its scope is a choice that is not registered yet, so it stays private. */
function serverManifest() {
  const { version, license, description, engines } = project;
  const { node, ...dependencies } = project.dependencies;
  if (node !== runtimes.version) {
    throw new Error(`tools/node-runtimes.json must have version ${node} (got ${runtimes.version})`);
  }
  const optional = Object.keys(runtimes.packages).map((name) => [name, runtimes.version]);
  return {
    name: '@footnote-search/server',
    version,
    private: true,
    type: 'module',
    license,
    description,
    engines,
    bin: { 'footnote-server': './bin/footnote-server.mjs' },
    imports: Object.fromEntries(
      Object.entries(project.imports).filter(([name]) => !/^#(?:test|apps\/cli)\//.test(name)),
    ),
    dependencies,
    optionalDependencies: Object.fromEntries(optional),
    scarfSettings: { enabled: false },
  };
}

function locked({ name, version, license, engines, bin, dependencies, optionalDependencies }) {
  return { name, version, license, engines, bin, dependencies, optionalDependencies };
}

function entries() {
  return Object.fromEntries(
    Object.entries(runtimes.packages).map(([name, entry]) => [
      `node_modules/${name}`,
      { version: runtimes.version, license: 'MIT', bin: { node: 'bin/node' }, ...entry },
    ]),
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function writeJson(path, value) {
  writeFileSync(join(target, path), `${JSON.stringify(value, null, 2)}\n`);
}
