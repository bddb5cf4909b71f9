import { setTimeout as delay } from 'node:timers/promises';

import { TestRepository } from '#test/support/git-repository';

import { type Distribution, distribution } from '../measure.js';
import type { Ledger } from './ledger.js';

const FILES = 60;
const SEARCHES_A_ROUND = 10;
const PAUSE_MS = 300;
/** An answer of the service to one round; whatever takes longer hangs. */
const SYNC_TIMEOUT_MS = 180_000;

export interface QuietFigures {
  readonly sync: Distribution;
  readonly search: Distribution;
  /** Syncs that met a kill, less the time that the service was away. */
  readonly interrupted: Distribution;
}

/** A tenant that changes a file, syncs, and searches for what it changed, again and again. */
export class QuietTenant {
  /** Things that must not happen and did. */
  readonly broken: string[] = [];
  rounds = 0;
  private sync: number[] = [];
  private search: number[] = [];
  private interrupted: number[] = [];
  private readonly words = new Map<string, string>();

  private constructor(
    private readonly ledger: Ledger,
    private readonly repository: TestRepository,
    private readonly sourceId: string,
    private readonly awayFor: (from: number, to: number) => number,
  ) {}

  static async begin(
    ledger: Ledger,
    folder: string,
    awayFor: (from: number, to: number) => number,
  ): Promise<QuietTenant> {
    const repository = TestRepository.create(folder, {});
    const sourceId = await ledger.register('quiet', repository.url);
    const tenant = new QuietTenant(ledger, repository, sourceId, awayFor);
    const files: Record<string, string> = {};
    for (let file = 0; file < FILES; file += 1) files[pathOf(file)] = tenant.textOf(file, 0);
    repository.commit(files);
    await tenant.synced();
    return tenant;
  }

  /** Goes on until the signal aborts. What a restart met is measured apart. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.round().catch((error: unknown) =>
        this.broken.push(`the quiet tenant: ${String(error)}`),
      );
      await delay(PAUSE_MS);
    }
  }

  /** The figures since the last call. */
  figures(): QuietFigures {
    const { sync, search, interrupted } = this;
    const figures = {
      sync: distribution(sync),
      search: distribution(search),
      interrupted: distribution(interrupted),
    };
    [this.sync, this.search, this.interrupted] = [[], [], []];
    return figures;
  }

  /**
   * Returns the errors of the visible content. Every file must be found once by its newest word,
   * and by no older word.
   */
  async check(): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const [path, word] of this.words) {
      const { results = [] } = await this.ledger.client.search(word, { top_k: 10 });
      const paths = results
        .filter(({ content }) => content.includes(word))
        .map(({ citation }) => citation.path);
      if (paths.join() !== path) wrong.push(`${word} of ${path} was found in [${paths.join()}]`);
    }
    return wrong;
  }

  private async round(): Promise<void> {
    const file = this.rounds % FILES;
    this.rounds += 1;
    this.repository.commit({ [pathOf(file)]: this.textOf(file, this.rounds) });
    await this.measured(this.sync, () => this.synced());
    for (let at = 0; at < SEARCHES_A_ROUND; at += 1) {
      const word = this.words.get(pathOf((file + at) % FILES)) ?? '';
      const body = { query: word };
      const { results = [] } = await this.measured(this.search, () =>
        this.ledger.client.patiently<{ results?: readonly { content: string }[] }>(
          'POST',
          '/search',
          body,
        ),
      );
      if (!results.some(({ content }) => content.includes(word)))
        this.broken.push(`${word} was not found`);
    }
  }

  private async synced(): Promise<void> {
    const deadline = Date.now() + SYNC_TIMEOUT_MS;
    const id = await this.ledger.sync(this.sourceId);
    for (;;) {
      const job = await this.ledger.job(id);
      if (job.status === 'completed') return;
      if (job.status !== 'pending' && job.status !== 'running')
        throw new Error(`${job.status}: ${job.error_message}`);
      if (Date.now() > deadline) throw new Error(`its job hangs: ${JSON.stringify(job)}`);
      await delay(20);
    }
  }

  private async measured<T>(into: number[], work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const result = await work();
    const to = performance.now();
    const away = this.awayFor(from, to);
    if (away === 0) into.push(to - from);
    else if (into === this.sync) this.interrupted.push(to - from - away);
    return result;
  }

  private textOf(file: number, round: number): string {
    const word = `quietword${file}x${round}`;
    this.words.set(pathOf(file), word);
    return `# Notes of file ${file}\n\nThe word of this round is ${word}.\n`;
  }
}

function pathOf(file: number): string {
  return `notes/file-${file}.md`;
}
