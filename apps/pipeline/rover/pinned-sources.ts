import type { RoverStepReason } from '#contracts';

import type { OwnSources } from './own-sources.js';
import type { ReadOutput } from './repository-reader.js';
import { StepFailed } from './step-failure.js';
import type { StepAttempt } from './step-runner.js';

/** The source that took the place of another one, or why no source did. */
export type Replaced = ReadOutput | { readonly reason: RoverStepReason };

/** Replaced sources by repository, a part of the output of the step that found them gone. */
export type Replacements = Readonly<Record<string, Replaced>>;

export interface PinnedSourcesDependencies {
  readonly own: Pick<OwnSources, 'serves'>;
  /** Reads a repository at a commit into a temporary source. @throws StepFailed. */
  readonly readAgain: (read: ReadOutput, attempt: StepAttempt) => Promise<ReadOutput>;
}

/**
 * The sources of a job from its steps `read` to its end. A job keeps the generation that it read,
 * also behind a later one. If a tenant removes its own source, or the generation is dropped, a
 * temporary source at the same commit replaces it.
 */
export class PinnedSources {
  private readonly replaced = new Map<string, Replaced>();

  constructor(private readonly dependencies: PinnedSourcesDependencies) {}

  /** Takes over what a step replaced, also one that another worker ran. */
  load(replacements: Replacements | undefined): void {
    for (const [repo, replaced] of Object.entries(replacements ?? {}))
      this.replaced.set(repo, replaced);
  }

  /** Returns what a repository is read from now, or why it can no longer be read. */
  now(read: ReadOutput): Replaced {
    return this.replaced.get(read.repo) ?? read;
  }

  /**
   * Runs a search over what was read. A source that is gone before or during it is replaced, and
   * the search repeated: each time fewer sources can go.
   * @returns the result with what was replaced, to be stored with it.
   */
  async search<Result>(
    reads: readonly ReadOutput[],
    attempt: StepAttempt,
    search: (reads: readonly ReadOutput[]) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly replaced?: Replacements }> {
    const replaced: Record<string, Replaced> = {};
    for (;;) {
      for (const read of await this.gone(reads))
        replaced[read.repo] = await this.replace(read, attempt);
      this.load(replaced);
      const result = await search(this.searchable(reads));
      if ((await this.gone(reads)).length > 0) continue;
      return { result, ...(Object.keys(replaced).length > 0 && { replaced }) };
    }
  }

  private searchable(reads: readonly ReadOutput[]): ReadOutput[] {
    return reads.flatMap((read) => {
      const now = this.now(read);
      return 'reason' in now ? [] : [now];
    });
  }

  /** Returns the sources of the tenant that can no longer be searched. */
  private async gone(reads: readonly ReadOutput[]): Promise<ReadOutput[]> {
    const gone: ReadOutput[] = [];
    for (const read of this.searchable(reads))
      if (read.origin === 'tenant' && !(await this.dependencies.own.serves(read))) gone.push(read);
    return gone;
  }

  private async replace(read: ReadOutput, attempt: StepAttempt): Promise<Replaced> {
    try {
      return await this.dependencies.readAgain(read, attempt);
    } catch (error) {
      if (error instanceof StepFailed) return { reason: error.reason };
      throw error;
    }
  }
}
