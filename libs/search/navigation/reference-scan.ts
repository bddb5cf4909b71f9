import {
  documentLines,
  type FileOccurrences,
  isParsedLanguage,
  type MatchThreads,
  type NamedFile,
  type NameOccurrence,
  type QueryNode,
  type ReferenceThreads,
  textOccurrences,
} from '#code-search';
import type { Precision } from '#contracts/http/index';
import type { ChunkFilter, SearchIndex } from '#search-index';

import { throwIfGone } from '../client-gone.js';
import { CodeScan } from '../code-scan.js';
import { type CodeScope, type ScanPlace, WHOLE } from '../code-search-scope.js';
import type { ScannedFile } from '../scan-request.js';
import { isAfter } from './scan-order.js';

/** Characters of files that a thread parses at once: a fraction of a second of work. */
const BATCH_CHARACTERS = 256 * 1024;
/** Time that a thread may spend on one batch; the parse of one file has at most 2,000 ms. */
const BATCH_BUDGET_MS = 3_000;
/** Share of the time that remains for parses after the text was examined. */
const PARSE_SHARE = 0.5;
/** Unparsed files that an answer names. */
const MOST_NAMED = 20;

/** The name, scope and limits of a scan for references. */
export interface ReferenceScanRequest {
  readonly tenantId: string;
  readonly name: string;
  readonly filter: ChunkFilter | undefined;
  /** Maximum lines with occurrences. */
  readonly limit: number;
  /** Continues after this place. */
  readonly after: ScanPlace | undefined;
  /** Ends with this place, where a deadline ended a recorded scan. */
  readonly end: ScanPlace | undefined;
  /** Files that a recorded scan did not parse in time, by {@link fileKey}. */
  readonly unparsed: ReadonlySet<string>;
  /** Returns the milliseconds that are left. */
  readonly remainingMs: () => number;
  /** The only file to look at; it has the place to continue after. Default: all. */
  readonly only?: { readonly sourceId: string; readonly path: string } | undefined;
  /** Aborts when nobody waits for the result any more. */
  readonly gone?: AbortSignal | undefined;
}

/** A file with occurrences, of the lines that the page has. */
export interface ReferencedFile {
  readonly file: ScannedFile;
  readonly isParsed: boolean;
  readonly names: readonly FoundName[];
}

/** An identifier of an answer. */
export interface FoundName extends NameOccurrence {
  readonly precision: Precision;
  /** True if an indexer found a definition. */
  readonly isDefinition?: boolean;
}

/** Returns the identifiers of a file that an answer has. */
export type SelectNames = (
  file: ScannedFile,
  names: readonly NameOccurrence[],
) => Promise<readonly FoundName[]>;

/** A file with its text. */
interface ReadFile {
  readonly file: ScannedFile;
  readonly named: NamedFile;
}

export interface FoundReferences {
  readonly files: readonly ReferencedFile[];
  /** Documents whose text was examined. */
  readonly documents: number;
  /** Documents with the name in a language without a grammar, which have no identifiers. */
  readonly unknownLanguages: number;
  readonly reason: 'limit' | 'deadline' | undefined;
  /** The place to continue after; undefined at the end. */
  readonly place: ScanPlace | undefined;
}

/**
 * One scan for identifiers: code search supplies the lines with the name as a whole word, and only
 * their files are parsed, in threads. Pages end between lines.
 */
export class ReferenceScan {
  private readonly files: ReferencedFile[] = [];
  private lines = 0;
  private hasTaken = false;
  private documents = 0;
  private unknownLanguages = 0;
  private reason: 'limit' | 'deadline' | undefined;
  private place: ScanPlace | undefined;
  /** Ends the work of the threads. */
  private readonly stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  constructor(
    private readonly index: SearchIndex,
    private readonly threads: {
      readonly matches: MatchThreads;
      readonly references: ReferenceThreads;
    },
    private readonly request: ReferenceScanRequest,
    private readonly select: SelectNames,
  ) {
    this.place = request.after;
  }

  /** @throws FootnoteError `bad_request` if the client went away. */
  async run(scope: CodeScope): Promise<FoundReferences> {
    const endThreads = (): void => void Atomics.store(new Int32Array(this.stop), 0, 1);
    this.request.gone?.addEventListener('abort', endThreads);
    try {
      while (await this.page(scope));
    } finally {
      this.request.gone?.removeEventListener('abort', endThreads);
      endThreads();
    }
    const { files, documents, unknownLanguages, reason, place } = this;
    return { files, documents, unknownLanguages, reason, place: reason && place };
  }

  /** Examines the next lines with the name. @returns true if there may be more to examine. */
  private async page(scope: CodeScope): Promise<boolean> {
    const { tenantId, name, filter, limit, gone, remainingMs, end } = this.request;
    const forParses = remainingMs() * PARSE_SHARE;
    const scan = new CodeScan(this.index, this.threads.matches, {
      tenantId,
      query: wordQuery(name),
      field: 'pattern',
      filter,
      contextLines: 0,
      limit: limit - this.lines,
      after: this.place,
      end: undefined,
      gone,
      remainingMs: () => remainingMs() - forParses,
    });
    const found = await scan.run(scope);
    this.documents += found.end.documents;
    const until = end ? found.files.flatMap((file) => linesUntil(scope, file, end)) : found.files;
    if (!(await this.parse(until.filter((file) => this.isWanted(file))))) return false;
    this.reason = found.reason;
    // The only file comes first, so that the scan is over once it reaches another one.
    if (this.reason === 'limit' && found.place && !this.isWanted(found.place))
      this.reason = undefined;
    if (end && (!found.place || isAfter(scope.sources, found.place, end))) this.reason = 'deadline';
    this.place = this.reason === 'deadline' && end ? end : found.place;
    if (this.reason !== 'limit') return false;
    return this.lines < limit;
  }

  private isWanted(at: ScannedFile | ScanPlace): boolean {
    const { only } = this.request;
    const sourceId = 'scoped' in at ? at.scoped.source.sourceId : at.sourceId;
    return !only || (sourceId === only.sourceId && at.path === only.path);
  }

  /** Parses files in batches. @returns false if a deadline ended it. */
  private async parse(files: readonly ScannedFile[]): Promise<boolean> {
    let batch: ReadFile[] = [];
    let characters = 0;
    for (const file of files) {
      if (!isParsedLanguage(file.language)) {
        this.unknownLanguages += 1;
        continue;
      }
      const chunks = await this.index.document(file.scoped.source, file.path);
      const text = documentLines({ pieces: chunks }).lines.text;
      batch.push({ file, named: { path: file.path, language: file.language, text } });
      characters += text.length;
      if (characters < BATCH_CHARACTERS) continue;
      if (!(await this.parseBatch(batch))) return false;
      [batch, characters] = [[], 0];
    }
    return this.parseBatch(batch);
  }

  private async parseBatch(batch: readonly ReadFile[]): Promise<boolean> {
    const { name, remainingMs, unparsed } = this.request;
    let rest = batch;
    for (let [first] = rest; first; [first] = rest) {
      const budgetMs = Math.min(BATCH_BUDGET_MS, remainingMs());
      const isSlow = unparsed.has(fileKey(first.file));
      const answer = isSlow || budgetMs <= 0 ? [] : await this.answers(rest, budgetMs);
      if (answer.length === 0) {
        // A file that takes a whole budget, or all of a request, would stop each later one too.
        if (!isSlow && budgetMs < BATCH_BUDGET_MS && this.hasTaken) return this.late();
        const names = textOccurrences(first.named.text, name);
        await this.take(first.file, { isParsed: false, names, passedOn: [] });
        rest = rest.slice(1);
      }
      for (const [index, occurrences] of answer.entries())
        await this.take((rest[index] as ReadFile).file, occurrences);
      rest = rest.slice(answer.length);
    }
    return true;
  }

  /** Returns the occurrences in the first files, as many as a thread parses within the budget. */
  private async answers(
    batch: readonly ReadFile[],
    budgetMs: number,
  ): Promise<readonly FileOccurrences[]> {
    const { tenantId, name, gone, unparsed } = this.request;
    const slow = batch.findIndex(({ file }) => unparsed.has(fileKey(file)));
    const files = batch.slice(0, slow === -1 ? undefined : slow).map(({ named }) => named);
    const timeout = AbortSignal.timeout(Math.ceil(budgetMs));
    const signal = gone ? AbortSignal.any([timeout, gone]) : timeout;
    const answer = await this.threads.references
      .run(tenantId, { name, files, budgetMs, stop: this.stop }, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return { kind: 'late' } as const;
        throw error;
      });
    throwIfGone(gone);
    return answer.kind === 'late' ? [] : answer.files;
  }

  private async take(file: ScannedFile, { isParsed, names }: FileOccurrences): Promise<void> {
    const shown = new Set(file.lines.map(({ number }) => number));
    const own = await this.select(
      file,
      names.filter(({ line }) => shown.has(line)),
    );
    if (own.length > 0 || !isParsed) this.files.push({ file, isParsed, names: own });
    this.lines += new Set(own.map(({ line }) => line)).size;
    this.hasTaken = true;
    const sourceId = file.scoped.source.sourceId;
    this.place = { sourceId, path: file.path, line: file.lines.at(-1)?.number ?? WHOLE };
  }

  private late(): false {
    this.reason = 'deadline';
    return false;
  }
}

/** Returns what identifies a file of a scan. */
export function fileKey({ scoped, path }: Pick<ScannedFile, 'scoped' | 'path'>): string {
  return `${scoped.source.sourceId}/${path}`;
}

/** Returns warnings of files whose identifiers are not known. */
export function unparsedWarnings({ files }: Pick<FoundReferences, 'files'>): string[] {
  const unparsed = files.filter(({ isParsed }) => !isParsed);
  const named = unparsed.slice(0, MOST_NAMED).map(({ file }) => file.path);
  const more = unparsed.length > MOST_NAMED ? ` and ${unparsed.length - MOST_NAMED} more` : '';
  return unparsed.length === 0
    ? []
    : [
        `${named.join(', ')}${more}: not parsed in time; ` +
          'references may be missing, or may be in comments and strings',
      ];
}

/** Returns a query for lines with a name as a whole word. */
function wordQuery(name: string): QueryNode {
  const word = /^\w(?:.*\w)?$/su.test(name);
  const expression = { pattern: name, regex: false, caseSensitive: true, word };
  return { kind: 'term', field: 'content', expression, at: 0 };
}

/** Returns a file with its lines up to a place; nothing if it has none. */
function linesUntil(scope: CodeScope, file: ScannedFile, end: ScanPlace): ScannedFile[] {
  const { sourceId } = file.scoped.source;
  const lines = file.lines.filter(
    ({ number }) => !isAfter(scope.sources, { sourceId, path: file.path, line: number }, end),
  );
  return lines.length > 0 ? [{ ...file, lines }] : [];
}
