import { SearchScope } from './search-scope.js';
import { type SearchedSegment, type SearchedView, wholeView } from './searched-view.js';

const MAX_CORPORA = 32;
const MAX_TERMS = 2_000;

/** Facts about one set of live generations, which never change. */
export class Corpus {
  /** Sums over the live chunks. */
  readonly chunks: number;
  readonly length: number;
  private readonly frequencies = new Map<string, number>();
  private scope: SearchScope | undefined;

  constructor(readonly views: readonly SearchedView[]) {
    this.chunks = views.reduce((sum, { liveChunks }) => sum + liveChunks, 0);
    this.length = views.reduce((sum, { liveLength }) => sum + liveLength, 0);
  }

  /** All of its views, to be searched. */
  get whole(): SearchScope {
    return (this.scope ??= new SearchScope(this.views.map(wholeView)));
  }

  /** Returns the number of live chunks that contain a term, if it is known. */
  frequency(term: string): number | undefined {
    return this.frequencies.get(term);
  }

  /** Keeps the frequencies of the latest terms. */
  keep(term: string, frequency: number): void {
    const [oldest] = this.frequencies.keys();
    if (oldest !== undefined && this.frequencies.size >= MAX_TERMS) this.frequencies.delete(oldest);
    this.frequencies.set(term, frequency);
  }
}

/**
 * Keeps the latest corpora of a thread with their document frequencies. A corpus is found only by
 * exactly its own views. So nothing of another tenant's corpus is reused, and a changed generation,
 * which has other views, is a new corpus.
 */
export class CorpusCache {
  /** The latest corpus is the last. */
  private corpora: Corpus[] = [];

  of(views: readonly SearchedView[]): Corpus {
    const at = this.corpora.findLastIndex((corpus) => isSame(corpus.views, views));
    const corpus = this.corpora[at] ?? new Corpus([...views]);
    if (at !== -1) this.corpora.splice(at, 1);
    else if (this.corpora.length >= MAX_CORPORA) this.corpora.shift();
    this.corpora.push(corpus);
    return corpus;
  }

  /** Forgets each corpus with one of these segments. */
  forget(segments: ReadonlySet<SearchedSegment>): void {
    this.corpora = this.corpora.filter(({ views }) =>
      views.every(({ segment }) => !segments.has(segment)),
    );
  }
}

function isSame(known: readonly SearchedView[], views: readonly SearchedView[]): boolean {
  return known.length === views.length && known.every((view, at) => view === views[at]);
}
