import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { redactSecrets } from '#ingest/redact/redact-secrets';
import { seeded } from '#platform';
import { type PlantedSecret, plantedSecrets } from '#test/support/planted-secrets';
import { PROJECT_ROOT } from '#test/support/project-root';

import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const FILES = 2_000;
const SECRETS = 300;
const SEED = 20_261;
const MAX_BYTES = 1_000_000;
const TEXT = /\.(?:[cm]?[jt]s|json|ya?ml|md|txt|html|css|proto|sh|py)$/;

/**
 * Secrets that were made up, planted in files of the packages that this project is built of, which
 * have none of their own.
 */
export const secretsScenario: Scenario = {
  name: 'secrets',
  async run({ say, note, rounds = 5 }: BenchContext): Promise<readonly Figure[]> {
    const files = pickFiles(join(PROJECT_ROOT, 'node_modules'));
    const megabytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;
    const planted = plantedSecrets(SEED, SECRETS);
    const kinds = new Set(planted.map(({ kind }) => kind)).size;
    note(
      'secrets',
      `${SECRETS} of ${kinds} kinds in ${files.length} files of node_modules, ${megabytes.toFixed(1)} MB`,
    );
    const alarms = files.flatMap(({ path, text }) =>
      changedLines(text, redactSecrets(text, path).text, path),
    );
    for (const alarm of alarms) say(`false alarm: ${alarm}`);
    const { found, named, missed } = plant(files, planted);
    for (const { kind, lines } of missed) say(`missed ${kind}: ${lines.slice(0, 120)}`);
    const speed = Math.max(
      ...Array.from({ length: rounds }, () => megabytesPerSecond(files, megabytes)),
    );
    const perThousand = (alarms.length / files.length) * 1_000;
    return [
      {
        what: `${SECRETS} planted secrets of ${kinds} kinds in ${files.length} files`,
        measured: `${found} found (${named} by their own kind), ${missed.length} missed`,
        target: '≥ 99 % found',
        met: found >= SECRETS * 0.99,
        raw: { found, named, missed: missed.length },
      },
      {
        what: 'false alarms in the same files before anything was planted',
        measured: `${alarms.length} lines: ${perThousand.toFixed(1)} per 1,000 files`,
        target: '≤ 5 per 1,000 files',
        met: perThousand <= 5,
        raw: { alarms: alarms.length },
      },
      {
        what: 'speed, one thread, per second of processor time',
        measured: `${speed.toFixed(0)} MB/s`,
        target: '≥ 50 MB/s',
        met: speed >= 50,
        raw: { speed, megabytes },
      },
    ];
  },
};

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** The same number of steps between any two of them, over all text files of the packages. */
function pickFiles(folder: string): readonly TextFile[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const step = all.length / FILES;
  return Array.from(
    { length: Math.min(FILES, all.length) },
    (_, index) => all[Math.floor(index * Math.max(1, step))],
  )
    .filter((path): path is string => path !== undefined && statSync(path).size <= MAX_BYTES)
    .map((path) => ({ path: path.slice(folder.length + 1), text: readFileSync(path, 'utf8') }));
}

/**
 * Puts each secret on lines of its own between two lines of a file, and looks what is left of it.
 */
function plant(files: readonly TextFile[], planted: readonly PlantedSecret[]) {
  const random = seeded(SEED + 1);
  const missed: PlantedSecret[] = [];
  let named = 0;
  for (const secret of planted) {
    const { path, text } = files[Math.floor(random() * files.length)] as TextFile;
    const lines = text.split('\n');
    lines.splice(Math.floor(random() * lines.length), 0, secret.lines);
    const before = redactSecrets(text, path).found[secret.kind] ?? 0;
    const after = redactSecrets(lines.join('\n'), path);
    if (after.text.includes(secret.secret)) missed.push(secret);
    else if ((after.found[secret.kind] ?? 0) > before) named += 1;
    if (after.text.split('\n').length !== lines.join('\n').split('\n').length)
      throw new Error(`${path} lost a line`);
  }
  return { found: planted.length - missed.length, named, missed };
}

function changedLines(before: string, after: string, path: string): readonly string[] {
  if (before === after) return [];
  const changed = after.split('\n');
  return before
    .split('\n')
    .flatMap((line, row) => (line === changed[row] ? [] : [`${path}:${row + 1} ${changed[row]}`]));
}

function megabytesPerSecond(files: readonly TextFile[], megabytes: number): number {
  const before = process.cpuUsage();
  for (const { path, text } of files) redactSecrets(text, path);
  const { user, system } = process.cpuUsage(before);
  return megabytes / ((user + system) / 1e6);
}
