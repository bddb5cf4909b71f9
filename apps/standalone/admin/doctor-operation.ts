import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Manifest } from '#contracts';
import type { BlobStore } from '#platform';
import type { TableSize } from '#read-model';
import {
  decodeDropped,
  isDropped,
  type LiveSource,
  readPack,
  type SearchIndex,
} from '#search-index';

import { contentCheck, lookAtContent, type SourceContent } from './content-check.js';
import type { DoctorCheck } from './doctor-check.js';
import { tableSizeCheck } from './table-size-check.js';

export interface DoctorReport {
  /** True if no check failed. */
  readonly ok: boolean;
  readonly checks: readonly DoctorCheck[];
}

/** A source with the manifest of its published generation. */
interface PublishedSource extends LiveSource {
  readonly name: string;
  readonly manifest: string;
}

/** The subjects of the doctor's checks. */
export interface DoctorSubjects {
  /** Null if the log is on a server, which checks itself. */
  readonly verifyLog:
    (() => Promise<{ readonly events: number; readonly milliseconds: number }>) | null;
  readonly blobs: BlobStore;
  readonly index: SearchIndex;
  publishedSources(): Promise<readonly PublishedSource[]>;
  /** Returns each projection, and whether the log reaches its rows. */
  projections(): Promise<
    readonly {
      readonly name: string;
      readonly backed: boolean;
      readonly error?: string | undefined;
    }[]
  >;
  /** Returns the sizes of the read models' tables. */
  tableSizes(): Promise<readonly TableSize[]>;
  /**
   * Records the missing content of a source, or with null that nothing is missing; a known state
   * changes nothing.
   */
  noteContent(source: LiveSource, message: string | null): Promise<void>;
}

/** Oldest git whose known vulnerabilities are fixed in the version of Debian 12. */
const OLDEST_GIT = [2, 39, 5] as const;

/**
 * Checks the machine, the engines and the invariants between log, blobs and index. Changes nothing,
 * except that a source shows its missing content, and its next sync rebuilds it.
 */
export async function examine(subjects: DoctorSubjects): Promise<DoctorReport> {
  const checks = [
    nodeVersion(),
    await gitVersion(),
    await attempt('event log', async () => {
      if (!subjects.verifyLog) return 'on a server, which checks itself';
      const { events, milliseconds } = await subjects.verifyLog();
      return `${events} events, positions and hash chain verified in ${milliseconds} ms`;
    }),
    await projectionLag(subjects),
    await tableSizeCheck(subjects),
    ...(await generations(subjects)),
  ];
  return { ok: checks.every(({ state }) => state !== 'failed'), checks };
}

function nodeVersion(): DoctorCheck {
  const major = Number(process.versions.node.split('.')[0]);
  return { name: 'Node', state: major >= 24 ? 'ok' : 'failed', detail: process.versions.node };
}

async function gitVersion(): Promise<DoctorCheck> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 10_000 });
    const numbers = (/(?<!\d)(\d+)\.(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
    const differing = OLDEST_GIT.findIndex((part, index) => part !== numbers[index]);
    const old = differing >= 0 && (numbers[differing] ?? 0) < (OLDEST_GIT[differing] ?? 0);
    const detail = stdout.trim().replace(/^git version /, '');
    return {
      name: 'git',
      state: old ? 'warning' : 'ok',
      detail: old ? `${detail} has known vulnerabilities; update it` : detail,
    };
  } catch {
    return { name: 'git', state: 'failed', detail: 'git is not on the path; install it' };
  }
}

async function projectionLag(subjects: DoctorSubjects): Promise<DoctorCheck> {
  const rows = await subjects.projections();
  const stopped = rows.filter(({ error }) => error !== undefined);
  if (stopped.length > 0) {
    return {
      name: 'read models',
      state: 'failed',
      detail: stopped.map(({ name, error }) => `${name}: ${error}`).join('; '),
    };
  }
  const ahead = rows.filter(({ backed }) => !backed);
  if (ahead.length > 0) {
    const names = ahead.map(({ name }) => name).join(', ');
    return {
      name: 'read models',
      state: 'failed',
      detail: `${names} are past the head of the log: the log lost events`,
    };
  }
  return { name: 'read models', state: 'ok', detail: `${rows.length} projections` };
}

async function generations(subjects: DoctorSubjects): Promise<readonly DoctorCheck[]> {
  const { blobs } = subjects;
  const sources = await subjects.publishedSources();
  const contents: SourceContent[] = [];
  const checks: DoctorCheck[] = [];
  for (const source of sources) {
    let content = await lookAtContent(blobs, source, 'look');
    if (content.missing === 0) {
      const check = await attempt(`source ${source.name}`, () =>
        compareGeneration(subjects, source),
      );
      // A comparison reads every pack, so it may fail on a damaged one.
      if (check.state !== 'ok') content = await lookAtContent(blobs, source, 'read');
      if (check.state !== 'ok' && content.missing === 0) checks.push(check);
    }
    await subjects.noteContent(source, content.message);
    contents.push(content);
  }
  const content = contentCheck(contents);
  if (checks.length > 0 || content.state !== 'ok') return [content, ...checks];
  return [
    content,
    {
      name: 'index',
      state: 'ok',
      detail: `${sources.length} published generations equal their packs`,
    },
  ];
}

/** Compares a generation: searches must see exactly the chunks of its manifest, each once. */
async function compareGeneration(
  subjects: DoctorSubjects,
  source: PublishedSource,
): Promise<string> {
  const manifest = JSON.parse(
    Buffer.from(await subjects.blobs.get(source.manifest)).toString(),
  ) as Manifest;
  const expected = new Set<string>();
  for (const { hash, chunks, dropped } of manifest.packs) {
    const pack = readPack(await subjects.blobs.get(hash));
    const bitmap = decodeDropped(dropped, chunks);
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      if (!isDropped(bitmap, chunk)) expected.add(pack.tables.chunkId(chunk));
    }
  }
  if (expected.size !== manifest.chunk_count) {
    throw new Error(
      `the packs have ${expected.size} chunks, the manifest says ${manifest.chunk_count}`,
    );
  }
  let seen = 0;
  for await (const id of subjects.index.chunkIds(source)) {
    if (!expected.delete(id)) throw new Error(`the index has chunk ${id} twice or without a pack`);
    seen += 1;
  }
  if (expected.size > 0)
    throw new Error(`the index lacks ${expected.size} of ${expected.size + seen} chunks`);
  return `${seen} chunks`;
}

async function attempt(name: string, work: () => Promise<string>): Promise<DoctorCheck> {
  try {
    return { name, state: 'ok', detail: await work() };
  } catch (error) {
    return {
      name,
      state: 'failed',
      detail: error instanceof Error ? error.message : String(error),
    };
  }
}
