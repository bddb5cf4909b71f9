import { localModel, type LocalModelAddress } from '#models';
import type { LocalModel } from '#retrieval';
import type { SearchIndex } from '#search-index';

import type { BenchSentences } from '../bench-sentences.js';
import { withIndex } from '../open-set.js';
import { type IndexedRepository, indexRepository } from '../rover/indexed-repository.js';
import { type PlacedSet, placeSet } from './prepare-set.js';
import type { SweQaSet } from './swe-qa-set.js';

/** Sets to measure, and where their repositories are. */
export interface SweQaAsked {
  readonly sets: readonly SweQaSet[];
  /** Folder of git repositories as `<owner>/<name>`, with the pinned commits. */
  readonly repos: string;
  /** Folder that keeps packs between runs. */
  readonly packs: string;
  readonly model: LocalModelAddress;
  /** File that every question is also written to. */
  readonly json?: string | undefined;
  /** The sentence encoder that every chunk is embedded with. Default: none. */
  readonly sentences?: BenchSentences | undefined;
}

/** A set whose repository is indexed, alone in its index. */
export interface IndexedSweQaSet {
  readonly placed: PlacedSet;
  readonly repository: IndexedRepository;
  readonly index: SearchIndex;
  readonly model: LocalModel;
}

/** Indexes the repository of each set in turn and measures it. Prints a line for each set. */
export async function forEachSet(
  asked: SweQaAsked,
  measure: (set: IndexedSweQaSet) => Promise<void>,
): Promise<void> {
  const model = localModel(asked.model);
  for (const set of asked.sets) {
    const placed = placeSet(set, asked.repos);
    await withIndex(async (chunker, index) => {
      const pinned = { repo: set.repo, commit: placed.revision };
      const repository = await indexRepository(pinned, { ...asked, chunker, index, model });
      await asked.sentences?.refine(index, repository.live, set.name);
      await measure({ placed, repository, index, model });
      console.log(
        `${set.name.padEnd(14)} ${placed.revision} ${String(repository.live.chunks).padStart(6)} chunks, ${placed.placed.length} of ${set.questions.length} answers name files`,
      );
    }, asked.sentences?.encoder);
  }
}
