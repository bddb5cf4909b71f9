import type { LiveSource, SearchIndex } from '#search-index';
import type { ChunkFilter } from '#search-index/chunk-filter';

/** The content that a search covers: all of a corpus, or a part that a request selects. */
export interface Part {
  readonly corpus: readonly LiveSource[];
  readonly scope: readonly LiveSource[];
  /** Chunks of the part. */
  readonly chunks: number;
  readonly filter?: ChunkFilter;
}

export interface NamedPart extends Part {
  readonly name: string;
}

/** Share of the chunks that a selected folder should have. */
const FOLDER_SHARES = [0.05, 0.4];
/** Steps of the path that name a folder. */
const FOLDER_STEPS = 2;

/** Returns filters of a source: a small and a large folder, a small and the largest language. */
export async function partsOf(
  index: SearchIndex,
  whole: Part,
  source: LiveSource,
): Promise<NamedPart[]> {
  const folders = new Map<string, number>();
  const languages = new Map<string, number>();
  let all = 0;
  for await (const document of index.documents(source)) {
    if (!('chunks' in document)) continue;
    const { length } = await document.chunks();
    all += length;
    const steps = document.path.split('/').slice(0, -1);
    for (let depth = 1; depth <= Math.min(FOLDER_STEPS, steps.length); depth += 1)
      add(folders, steps.slice(0, depth).join('/'), length);
    add(languages, document.language, length);
  }
  const byPath = FOLDER_SHARES.map((share): NamedPart => {
    const [folder, chunks] = nearest(folders, share * all);
    const filter = { paths: [`${folder}/**`], languages: [] };
    return { ...whole, chunks, filter, name: `paths ${folder}/** (${chunks} chunks of a source)` };
  });
  const byLanguage = [0.02, 1].map((share): NamedPart => {
    const [language, chunks] = nearest(languages, share * all);
    const filter = { paths: [], languages: [language] };
    return {
      ...whole,
      chunks,
      filter,
      name: `language ${language} (${chunks} chunks of a source)`,
    };
  });
  return [...byPath, ...byLanguage];
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Returns the entry whose count is nearest to the wanted one. */
function nearest(counts: ReadonlyMap<string, number>, wanted: number): readonly [string, number] {
  const [first = ['', 0] as const, ...others] = counts;
  return others.reduce<readonly [string, number]>(
    (best, entry) => (Math.abs(entry[1] - wanted) < Math.abs(best[1] - wanted) ? entry : best),
    first,
  );
}
