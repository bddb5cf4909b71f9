import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** Files of a folder; a folder in it is another such object. */
interface Folder {
  readonly [name: string]: string | Folder;
}

const PERSON = 'Footnote bench <bench@example.com> 1767225600 +0000';

/**
 * Writes a bare repository with one commit on `main`, object by object: thousands are made in
 * seconds, without git.
 */
export function writeBareRepository(path: string, files: Folder): void {
  for (const folder of ['objects', 'refs/heads', 'refs/tags'])
    mkdirSync(join(path, folder), { recursive: true });
  writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(path, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  const tree = writeTree(path, files);
  const commit = writeObject(
    path,
    'commit',
    Buffer.from(`tree ${tree}\nauthor ${PERSON}\ncommitter ${PERSON}\n\nFirst\n`),
  );
  writeFileSync(join(path, 'refs/heads/main'), `${commit}\n`);
}

/** A library of five files, about one thing that no other of the fleet is about. */
export function smallLibrary(index: number): Folder {
  const thing = `${WORDS[index % WORDS.length] ?? ''}${WORDS[Math.floor(index / WORDS.length) % WORDS.length] ?? ''}${index}`;
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n');
  return {
    'README.md': `# ${thing}\n\nReads and writes ${thing} records.\n\n## Use\n\nOpen a ${thing} store, then call \`put\` and \`get\`.\n\n## Limits\n\nA ${thing} record holds ${index + 1} fields at most.\n`,
    'package.json': `{ "name": "${thing}", "version": "1.${index}.0", "main": "src/index.js" }\n`,
    src: {
      'index.js': `import { open${thing} } from './store.js';\n\nexport function main(path) {\n  const store = open${thing}(path);\n  return store.get('first');\n}\n`,
      'store.js': `/** Opens the ${thing} store. */\nexport function open${thing}(path) {\n  const records = new Map();\n  return {\n    get: (key) => records.get(key),\n    put: (key, value) => records.set(key, value),\n    path,\n  };\n}\n\n${lines(12, (at) => `export function ${thing}Field${at}(record) {\n  return record['field${at}'] ?? ${at * index};\n}\n`)}`,
    },
    test: {
      'store.test.js': `import { open${thing} } from '../src/store.js';\n\n${lines(6, (at) => `test('${thing} keeps field ${at}', () => {\n  const store = open${thing}('/tmp/${thing}');\n  store.put('key${at}', ${at});\n  expect(store.get('key${at}')).toBe(${at});\n});\n`)}`,
    },
  };
}

const WORDS =
  'amber birch cedar delta ember flint grove harbor iris juniper kelp linen maple north opal pine'.split(
    ' ',
  );

function writeTree(path: string, folder: Folder): string {
  const entries = Object.entries(folder)
    .map(([name, content]) =>
      typeof content === 'string'
        ? {
            name,
            sorted: name,
            mode: '100644',
            oid: writeObject(path, 'blob', Buffer.from(content)),
          }
        : { name, sorted: `${name}/`, mode: '40000', oid: writeTree(path, content) },
    )
    .sort((left, right) => (left.sorted < right.sorted ? -1 : 1));
  const records = entries.map(({ mode, name, oid }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
  );
  return writeObject(path, 'tree', Buffer.concat(records));
}

function writeObject(path: string, type: string, content: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const oid = createHash('sha1').update(bytes).digest('hex');
  const file = join(path, 'objects', oid.slice(0, 2), oid.slice(2));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, deflateSync(bytes));
  return oid;
}
