import type { OpenRoverJob } from '#domain';
import type { BlobStore, Clock } from '#platform';
import { isManifestPath } from '#research';
import type { SearchIndex } from '#search-index';

import { ifThere, readManifest } from '../stages/base-manifest.js';
import { JobEnded } from '../worker/active-runs.js';
import type { ChosenRepository } from './choose-repositories.js';
import type { OwnSources } from './own-sources.js';
import type { RepositoryHeads } from './repository-heads.js';
import type { ReadSource, ResearchSources, Revision, SyncProgress } from './research-sources.js';
import type { RoverLease } from './rover-lease.js';
import type { AttachedSource } from './rover-searches.js';
import { StepFailed } from './step-failure.js';
import type { StepAttempt, StepResult, StepRunner } from './step-runner.js';

/** Manifests read of one repository. */
const MOST_MANIFESTS = 12;
/** Characters of one manifest. */
const MOST_MANIFEST_CHARACTERS = 64 * 1024;
/** Least time between two reports of one sync, milliseconds. */
const REPORT_EVERY_MS = 2_000;
/** Part of the budget that is left for searches and the answer, at most {@link MOST_LEFT_MS}. */
const LEFT_SHARE = 0.2;
const MOST_LEFT_MS = 30_000;

/** The output of a read step. */
export interface ReadOutput extends AttachedSource {
  readonly files: number;
  readonly chunks: number;
  /** Blob with the list of its files. */
  readonly manifest: string;
  readonly manifests: readonly { readonly path: string; readonly text: string }[];
}

export interface RepositoryReaderDependencies {
  readonly tenantId: string;
  readonly lease: Pick<RoverLease, 'write'> & {
    readonly job: Pick<OpenRoverJob, 'budget' | 'repos' | 'attached' | 'steps'>;
  };
  readonly steps: Pick<StepRunner, 'run' | 'remainingMs'>;
  readonly heads: Pick<RepositoryHeads, 'describe' | 'headOf'>;
  readonly sources: Pick<ResearchSources, 'register' | 'prepare' | 'read' | 'release'>;
  /** Sources of the tenant that serve in place of temporary ones. */
  readonly own: Pick<OwnSources, 'find' | 'serves'>;
  readonly index: Pick<SearchIndex, 'document'>;
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Reads repositories of a job at the commits of their default branches. */
export class RepositoryReader {
  /** Syncs that this job began for later steps. */
  private readonly prepared = new Set<string>();
  /** Repositories whose syncs were begun for later steps. */
  private readonly begun = new Set<string>();

  constructor(private readonly dependencies: RepositoryReaderDependencies) {}

  /**
   * Attaches a repository and waits until it is searchable: the tenant's own source if it has the
   * commit, else a temporary one. It leaves a part of the budget for searches and the answer.
   * @throws StepFailed.
   */
  async read(chosen: ChosenRepository, attempt: StepAttempt): Promise<StepResult<ReadOutput>> {
    const { tenantId, lease, heads } = this.dependencies;
    const { repo } = await heads.describe(chosen);
    const known = lease.job.attached.findLast((attached) => attached.repo === repo);
    const commit = known?.commit ?? (await heads.headOf(chosen)).commit;
    const revision = { tenantId, repo, commit };
    const own = known?.origin === 'temporary' ? null : await this.readOwn(revision, attempt);
    const output = own ?? (await this.readTemporary(revision, attempt, this.readingMs));
    const { files, chunks } = output;
    return { output, details: { files, chunks } };
  }

  /**
   * Reads a repository at a commit into a temporary source.
   * @param mostMs milliseconds to wait for its sync; default: all that the job has left.
   * @throws StepFailed.
   */
  async readTemporary(
    revision: Revision,
    attempt: StepAttempt,
    mostMs = this.dependencies.steps.remainingMs,
  ): Promise<ReadOutput> {
    const { tenantId, lease, sources, signal } = this.dependencies;
    const { repo, commit } = revision;
    const known = lease.job.attached.findLast((attached) => attached.repo === repo);
    const sourceId =
      known?.origin === 'temporary' ? known.source_id : await sources.register(revision);
    await this.attach({ repo, commit, source_id: sourceId, origin: 'temporary' }, attempt);
    const timeout = AbortSignal.timeout(Math.max(1, mostMs));
    const source = await sources
      .read(tenantId, sourceId, AbortSignal.any([signal, timeout]), this.progressOf(attempt))
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw timeout.aborted ? new StepFailed('budget_reached') : error;
      });
    return this.outputOf(revision, source, 'temporary');
  }

  /** Returns null if the tenant has no source of its own at the commit. */
  private async readOwn(revision: Revision, attempt: StepAttempt): Promise<ReadOutput | null> {
    const { own } = this.dependencies;
    const source = await own.find(revision);
    if (!source) return null;
    const { repo, commit } = revision;
    await this.attach({ repo, commit, source_id: source.sourceId, origin: 'tenant' }, attempt);
    const output = await this.outputOf(revision, source, 'tenant');
    // It may be removed while its manifests are read.
    return (await own.serves(source)) ? output : null;
  }

  /** Returns a function that reports how far a sync is, if it is further, every few seconds. */
  private progressOf({ stepId: step_id, attempt }: StepAttempt): SyncProgress {
    const { lease, clock } = this.dependencies;
    let reported = { files: 0, chunks: 0 };
    let reportedAt = clock.monotonic();
    return async ({ files_processed: files, chunks_created: chunks }) => {
      const isFurther = files > reported.files || chunks > reported.chunks;
      if (!isFurther || clock.monotonic() - reportedAt < REPORT_EVERY_MS) return;
      reported = { files, chunks };
      reportedAt = clock.monotonic();
      await lease.write({ type: 'ReportRoverStep', data: { step_id, attempt, details: reported } });
    };
  }

  private attach(
    attached: OpenRoverJob['attached'][number],
    { stepId: step_id, attempt }: StepAttempt,
  ): Promise<void> {
    const { lease } = this.dependencies;
    return lease.write({ type: 'AttachRepository', data: { step_id, attempt, ...attached } });
  }

  private async outputOf(
    { repo, commit }: Revision,
    source: ReadSource,
    origin: 'temporary' | 'tenant',
  ): Promise<ReadOutput> {
    const syncedAt = this.dependencies.clock.now().getTime();
    const manifests = await this.manifestsOf(source);
    return { repo, commit, ...source, syncedAt, manifests, ...(origin === 'tenant' && { origin }) };
  }

  /**
   * Begins the sync of the next repository while one runs. If its size is unknown, it begins those
   * of all following ones, because one of them may be the smallest. Failures show in their own
   * steps.
   */
  async prepare(following: readonly ChosenRepository[]): Promise<void> {
    const { tenantId, sources, own, heads } = this.dependencies;
    const all = following[0]?.sizeKib === null ? following : following.slice(0, 1);
    await Promise.allSettled(
      all.map(async (chosen) => {
        if (this.begun.has(chosen.repo)) return;
        this.begun.add(chosen.repo);
        const revision = { tenantId, ...(await heads.headOf(chosen)) };
        if (await own.find(revision)) return;
        const jobId = await sources.prepare(revision);
        if (jobId !== null) this.prepared.add(jobId);
      }),
    );
  }

  /** Releases the syncs that {@link prepare} began; if the job ended, nobody else needs them. */
  async release(): Promise<void> {
    const { sources, tenantId, signal } = this.dependencies;
    const jobEnded = signal.reason instanceof JobEnded;
    const all = [...this.prepared];
    this.prepared.clear();
    await Promise.all(all.map((jobId) => sources.release(tenantId, jobId, jobEnded)));
  }

  /** Returns the id of each file's blob in git, by path; none if the list of files is gone. */
  async blobIdsOf({
    manifest,
  }: Pick<ReadOutput, 'manifest'>): Promise<ReadonlyMap<string, string>> {
    const content = await ifThere(readManifest(this.dependencies.blobs, manifest));
    return new Map((content?.documents ?? []).map(({ path, version }) => [path, version]));
  }

  /** Milliseconds that reading may still take. */
  private get readingMs(): number {
    const { steps, lease } = this.dependencies;
    const left = Math.min(lease.job.budget.seconds * 1_000 * LEFT_SHARE, MOST_LEFT_MS);
    return Math.max(0, steps.remainingMs - left);
  }

  private async manifestsOf({
    sourceId,
    generation,
    manifest,
  }: ReadSource): Promise<ReadOutput['manifests']> {
    const { blobs, index, tenantId } = this.dependencies;
    const content = await ifThere(readManifest(blobs, manifest));
    const paths = (content?.documents ?? []).map(({ path }) => path).filter(isManifestPath);
    const found = [];
    for (const path of paths.slice(0, MOST_MANIFESTS)) {
      const chunks = await index.document({ tenantId, sourceId, generation }, path);
      const text = chunks.map((chunk) => chunk.content).join('\n');
      found.push({ path, text: text.slice(0, MOST_MANIFEST_CHARACTERS) });
    }
    return found;
  }
}
