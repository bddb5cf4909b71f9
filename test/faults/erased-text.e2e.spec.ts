import { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { askOwner } from '#apps/standalone/admin/socket';
import { type Stage, STAGES } from '#contracts';
import { ApiClient } from '#test/support/api-client';
import {
  CANARIES,
  type CanaryKind,
  type CanaryTenant,
  MARKER,
  plantCanaries,
} from '#test/support/canaries';
import { ServiceProcess } from '#test/support/service-process';
import { stageBegan } from '#test/support/stage-kills';
import { markedWords } from '#test/support/stored-bytes';
import { tempDir } from '#test/support/temp-dir';

/** Folders of DATA_DIR that may hold a text, and whether each always does. */
type Places = Readonly<Record<string, 'always' | 'perhaps'>>;

/**
 * Names are in the log in the clear; rows of the read models hold them until a vacuum. See
 * docs/erasure.md.
 */
const NAMES: Places = { log: 'always', 'read-models': 'perhaps' };
/** The records that stay of an erased tenant; nothing stays of any other kind. */
const STAYS: Readonly<Partial<Record<CanaryKind, Places>>> = {
  keyName: NAMES,
  sourceName: NAMES,
  fileName: NAMES,
};
/**
 * Kinds that are in the clear in some file while the tenant lives: the search would find them if
 * they stayed.
 */
const IN_THE_CLEAR: readonly CanaryKind[] = [
  'gitFile',
  'page',
  'uploadedPdf',
  'keyName',
  'sourceName',
  'fileName',
];
/** Two rounds of the collection, a minute apart, on a machine under load. */
const WITHIN_MS = 200_000;
const TWO_HOURS_S = 7_200;

describe('text of a tenant, searched for in every file of the service', () => {
  const folder = tempDir('footnote-erased-');
  let tenant: CanaryTenant;
  beforeAll(async () => {
    tenant = await plantCanaries(folder.path);
  }, 300_000);
  afterAll(async () => {
    await tenant.close();
    folder.remove();
  });

  /** A running service on a copy of the data, whose repository is in the given stage of a sync. */
  async function during(stage: Stage, work: (run: Run) => Promise<void>): Promise<void> {
    const dataDir = mkdtempSync(join(folder.path, 'copy-'));
    cpSync(tenant.options.dataDir, dataDir, { recursive: true });
    ageBlobs(dataDir);
    const run = new Run(
      tenant,
      dataDir,
      await ServiceProcess.start({ ...tenant.options, dataDir }),
    );
    try {
      run.jobId = await run.api.sync(tenant.repositoryId);
      await stageBegan(stage, { url: run.service.url, key: tenant.key, jobId: run.jobId });
      await work(run);
    } finally {
      await run.service.kill();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  it('is there before it is erased', () => {
    const places = placesOf(tenant.options.dataDir);
    expect(IN_THE_CLEAR.filter((kind) => (places[kind] ?? []).length === 0)).toEqual([]);
  });

  it.each(STAGES)(
    'goes with its tenant that is erased in stage %s, but for names',
    async (stage) => {
      await during(stage, async (run) => {
        await run.eraseTenant();
        await run.service.stop();
        expectErased(placesOf(run.dataDir));
      });
    },
    300_000,
  );

  it.each(['fetch', 'parse', 'index'] as const)(
    'goes with its tenant that is erased after a kill in stage %s, but for names',
    async (stage) => {
      await during(stage, async (run) => {
        await run.crash();
        await run.eraseTenant();
        await run.service.stop();
        expectErased(placesOf(run.dataDir));
      });
    },
    300_000,
  );

  it.each(['index'] as const)(
    'goes with its source that is removed in stage %s, and what other sources hold stays',
    async (stage) => {
      await during(stage, async (run) => {
        await run.api.expect('DELETE', `/sources/${tenant.repositoryId}`);
        const isGone = () => {
          const { gitFile = [], changedGitFile = [] } = placesOf(run.dataDir);
          return [...gitFile, ...changedGitFile].length === 0;
        };
        await until(isGone, () => JSON.stringify(placesOf(run.dataDir)));
        const { page, uploadedPdf } = placesOf(run.dataDir);
        expect({ page, uploadedPdf }).toEqual({
          page: ['blobs', 'git', 'index'],
          uploadedPdf: ['blobs', 'index'],
        });
      });
    },
    300_000,
  );

  it.each(['parse', 'embed'] as const)(
    'of changed files stays in the clone alone when the job is canceled in stage %s',
    async (stage) => {
      await during(stage, async (run) => {
        const { status } = await run.api.call('POST', `/jobs/${run.jobId}/cancel`);
        const job = await run.api.finished(run.jobId, WITHIN_MS);
        // A job that completed before the request came keeps its generation.
        if (job.status !== 'cancelled')
          return expect([status, job.status]).toEqual([409, 'completed']);
        const where = () =>
          placesOf(run.dataDir).changedGitFile?.filter((place) => place !== 'git') ?? [];
        await until(
          () => where().length === 0,
          () => where().join(),
        );
      });
    },
    300_000,
  );
});

/** A service that runs on a copy of the tenant's data. */
class Run {
  jobId = '';
  constructor(
    private readonly tenant: CanaryTenant,
    readonly dataDir: string,
    public service: ServiceProcess,
  ) {}

  get api(): ApiClient {
    return new ApiClient(this.service.url, this.tenant.key);
  }

  /** Ends the process as a power cut would, and starts it again. */
  async crash(): Promise<void> {
    await this.service.kill();
    this.service = await ServiceProcess.start({ ...this.tenant.options, dataDir: this.dataDir });
  }

  /** Requests the erasure, and waits until the log has `TenantErased`. */
  async eraseTenant(): Promise<void> {
    const { id } = this.tenant;
    await this.api.expect('DELETE', '/tenant', { confirm: id });
    const deadline = Date.now() + WITHIN_MS;
    for (;;) {
      const answer = await askOwner(
        this.dataDir,
        'erase-tenant',
        { tenant_id: id, confirm: id },
        WITHIN_MS,
      );
      if ((answer as { readonly state: string }).state === 'erased') return;
      if (Date.now() > deadline)
        throw new Error(`The tenant is not erased: ${this.service.output.slice(-4_000)}`);
      await delay(200);
    }
  }
}

/**
 * The folders of DATA_DIR that hold a canary of each kind, sorted. Terms of an index are stems,
 * without a last `e`.
 */
function placesOf(dataDir: string): Partial<Record<CanaryKind, readonly string[]>> {
  const words = markedWords(dataDir, MARKER);
  const kinds = Object.entries(CANARIES) as readonly (readonly [CanaryKind, string])[];
  return Object.fromEntries(
    kinds.flatMap(([kind, canary]) => {
      const files = [...words]
        .filter(([word]) => word.toLowerCase().startsWith(canary.slice(0, -1)))
        .flatMap(([, found]) => [...found]);
      const folders = new Set(files.map((file) => file.split('/')[0] ?? ''));
      return folders.size === 0 ? [] : [[kind, [...folders].sort()]];
    }),
  );
}

function expectErased(places: ReturnType<typeof placesOf>): void {
  const always = (kind: CanaryKind) =>
    Object.entries(STAYS[kind] ?? {}).filter(([, how]) => how === 'always');
  const found = Object.entries(places).map(([kind, folders]) => [
    kind,
    folders.filter((place) => STAYS[kind as CanaryKind]?.[place] !== 'perhaps'),
  ]);
  const expected = Object.keys(STAYS).map((kind) => [
    kind,
    always(kind as CanaryKind).map(([place]) => place),
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}

async function until(isSo: () => boolean, state: () => string): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`Still there: ${state()}`);
    await delay(500);
  }
}

/**
 * An uploaded file is kept for a minute after it was written: the blobs of the copy were written
 * two hours ago.
 */
function ageBlobs(dataDir: string): void {
  const then = Date.now() / 1_000 - TWO_HOURS_S;
  for (const entry of readdirSync(join(dataDir, 'blobs'), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
  }
}
