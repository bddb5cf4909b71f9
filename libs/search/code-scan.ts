import {
  type MatchedLine,
  type MatchThreads,
  type QueryNode,
  type ScannedDocument,
  type SymbolLine,
  termsOf,
} from '#code-search';
import { validationFailed } from '#contracts';
import { ANY_TEXT, type RequiredText } from '#contracts/content/required-text';
import type { ChunkFilter, SearchIndex } from '#search-index';

import { throwIfGone } from './client-gone.js';
import { type CodeScope, type ScanPlace, WHOLE } from './code-search-scope.js';
import type { ScopedSource } from './search-scope.js';

/** Characters of text in one batch for a thread: some milliseconds of work. */
const BATCH_CHARACTERS = 256 * 1024;
/** Batches at work or ready, so that threads do not wait for the next text. */
const MOST_BATCHES = 3;
/** Time that a thread may spend on one batch, so that no pattern keeps it from others for long. */
const BATCH_BUDGET_MS = 1_000;

/** The expression, scope and limits of a scan. */
export interface ScanRequest {
  readonly tenantId: string;
  readonly query: QueryNode;
  /** The field of the request that has the query. */
  readonly field: 'pattern' | 'query';
  readonly filter: ChunkFilter | undefined;
  readonly contextLines: number;
  /** Maximum matching lines. */
  readonly limit: number;
  /** Continues after this place. */
  readonly after: ScanPlace | undefined;
  /** Ends where a recorded scan ended. */
  readonly end: ScanEnd | undefined;
  /** Returns the milliseconds that are left. */
  readonly remainingMs: () => number;
  /** Aborts when nobody waits for the result any more. */
  readonly gone?: AbortSignal | undefined;
}

/** The place at which a deadline ended a scan. */
export interface ScanEnd {
  /** Documents that were examined as a whole. */
  readonly documents: number;
  /** Lines of the next document that were examined. */
  readonly lines: number;
}

export interface ScannedFile {
  readonly scoped: ScopedSource;
  readonly path: string;
  readonly language: string;
  readonly lines: readonly MatchedLine[];
}

export interface ScanResult {
  readonly files: readonly ScannedFile[];
  readonly count: number;
  readonly end: ScanEnd;
  /** Examined documents with removed secrets, by id of their source. */
  readonly redacted: ReadonlyMap<string, number>;
  /** Lines that were too slow to examine. */
  readonly skippedLines: readonly SkippedLine[];
  /** Why the scan ended early; undefined if it reached the end. */
  readonly reason: 'limit' | 'deadline' | undefined;
  /** The place to continue after; undefined at the end. */
  readonly place: ScanPlace | undefined;
  /** True if the expression matches blank lines, of which the index does not have all. */
  readonly matchesBlank: boolean;
}

/** A line that the query could not be matched with in time; 0 stands for a whole document. */
export interface SkippedLine {
  readonly path: string;
  readonly line: number;
}

/** A document that waits for its matches. */
interface Queued {
  readonly scoped: ScopedSource;
  readonly language: string;
  readonly document: ScannedDocument;
  /** Documents between the one before and this one that the index excludes. */
  readonly excludedBefore: number;
}

type ReadDocument = Omit<Queued, 'excludedBefore'>;

interface Batch {
  readonly documents: readonly Queued[];
  readonly budgetMs: number;
  readonly oneByOne: boolean;
  readonly answer: ReturnType<MatchThreads['run']>;
}

/**
 * One scan of the text of live generations. It reads documents in order and matches them in
 * threads, some batches ahead; the matches are taken in the order of the documents. Documents that
 * the index excludes count as examined; their text is not read.
 */
export class CodeScan {
  private readonly files: ScannedFile[] = [];
  private readonly batches: Batch[] = [];
  private queued: Queued[] = [];
  private queuedCharacters = 0;
  private count = 0;
  private documents = 0;
  private examinedLines = 0;
  private readonly skippedLines: SkippedLine[] = [];
  private readonly redacted = new Map<string, number>();
  private reason: 'limit' | 'deadline' | undefined;
  private place: ScanPlace | undefined;
  private matchesBlank = false;
  private required: RequiredText = ANY_TEXT;
  /** Documents after the last queued one that the index excludes. */
  private excluded = 0;
  private readonly deadline: AbortSignal;
  /** Ends the work of the threads; see `MatchRequest.stop`. */
  private readonly stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  constructor(
    private readonly index: SearchIndex,
    private readonly threads: MatchThreads,
    private readonly request: ScanRequest,
  ) {
    this.place = request.after;
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(request.remainingMs())));
    this.deadline = request.gone ? AbortSignal.any([timeout, request.gone]) : timeout;
  }

  /**
   * @throws FootnoteError `validation_failed` for an expression that cannot be used; `bad_request`
   * if the client went away.
   */
  async run({ sources }: CodeScope): Promise<ScanResult> {
    const [first] = sources;
    this.place ??= first && { sourceId: first.source.sourceId, path: '', line: 0 };
    try {
      // Without documents, a thread checks the expression and returns what it requires.
      this.send();
      await this.settle();
      if (!this.reason) await this.scan(sources);
    } finally {
      Atomics.store(new Int32Array(this.stop), 0, 1);
    }
    const { files, count, documents, reason, matchesBlank, skippedLines, redacted } = this;
    const end = { documents, lines: this.examinedLines };
    return {
      files,
      count,
      end,
      redacted,
      skippedLines,
      reason,
      matchesBlank,
      place: reason && this.place,
    };
  }

  private async scan(sources: readonly ScopedSource[]): Promise<void> {
    const { end, after, gone, remainingMs } = this.request;
    let oneByOne = after?.oneByOne ?? false;
    let read = 0;
    for await (const queued of this.read(sources)) {
      throwIfGone(gone);
      if (remainingMs() <= 0) this.reason = 'deadline';
      if (this.reason) return;
      const isLast = read === end?.documents;
      if (isLast && end.lines === 0) break;
      read += 1;
      if (!queued) {
        if (isLast) this.examinedLines = end.lines;
        else this.excluded += 1;
        if (isLast) break;
        continue;
      }
      const { document } = queued;
      this.queued.push({
        ...queued,
        excludedBefore: this.excluded,
        document: isLast ? cutAt(document, end.lines) : document,
      });
      this.excluded = 0;
      this.queuedCharacters += charactersOf(document);
      if (isLast) break;
      if (oneByOne || this.queuedCharacters >= BATCH_CHARACTERS) await this.flush(oneByOne);
      oneByOne = false;
    }
    if (this.reason) return;
    if (this.queued.length > 0) this.send();
    while (this.batches.length > 0 && !this.reason) await this.settle();
    if (!this.reason) this.documents += this.excluded;
    if (end && read >= end.documents) this.reason ??= 'deadline';
  }

  /** Undefined stands for a document that the index excludes. */
  private async *read(sources: readonly ScopedSource[]): AsyncIterable<ReadDocument | undefined> {
    const { after, filter, query } = this.request;
    const needsSymbols = termsOf(query).some(({ field }) => field === 'sym');
    const first = after ? sources.findIndex(({ source }) => source.sourceId === after.sourceId) : 0;
    for (const [at, scoped] of sources.slice(first).entries()) {
      const resumed = at === 0 ? after : undefined;
      const range = { from: resumed?.path, filter, required: this.required };
      for await (const { path, chunks } of this.index.documents(scoped.source, range)) {
        const isResumed = resumed?.path === path;
        if (isResumed && resumed.line === WHOLE) continue;
        if (chunks.length === 0) {
          yield undefined;
          continue;
        }
        const language = chunks[0]?.language ?? '';
        yield {
          scoped,
          language,
          document: {
            path,
            repo: scoped.source.name,
            language,
            ...(needsSymbols && { symbols: await this.symbols(scoped, path) }),
            pieces: chunks.map(({ startLine, content, symbol }) => ({
              startLine,
              content,
              symbol,
            })),
            ...(isResumed && { afterLine: resumed.line }),
          },
        };
      }
    }
  }

  private async symbols({ source }: ScopedSource, path: string): Promise<readonly SymbolLine[]> {
    const { definitions } = await this.index.outline(source, path);
    return definitions.map(({ name, start_line, place }) => ({
      name,
      line: place?.line ?? start_line,
    }));
  }

  private async flush(oneByOne: boolean): Promise<void> {
    this.send(oneByOne);
    while (this.batches.length >= (oneByOne ? 1 : MOST_BATCHES) && !this.reason)
      await this.settle();
  }

  private send(oneByOne = false): void {
    const documents = this.queued;
    this.queued = [];
    this.queuedCharacters = 0;
    const { tenantId, query, contextLines, limit } = this.request;
    const budgetMs = Math.max(1, Math.min(BATCH_BUDGET_MS, this.request.remainingMs()));
    const batch = {
      query,
      documents: documents.map(({ document }) => document),
      contextLines,
      // One more line shows that the limit cut something off.
      maxLines: limit - this.count + 1,
      budgetMs,
      oneByOne,
      stop: this.stop,
    };
    const answer = this.threads.run(tenantId, batch, this.deadline);
    answer.catch(() => undefined);
    this.batches.push({ documents, answer, budgetMs, oneByOne });
  }

  /** Takes the matches of the oldest batch. */
  private async settle(): Promise<void> {
    const batch = this.batches.shift();
    if (!batch) return;
    const answer = await batch.answer.catch((error: unknown) => {
      throwIfGone(this.request.gone);
      if (this.deadline.aborted) return { kind: 'unstarted' } as const;
      throw error;
    });
    if (answer.kind === 'unstarted') {
      this.reason = 'deadline';
      return;
    }
    if (answer.kind === 'late') {
      this.slow(batch);
      return;
    }
    if (answer.kind === 'bad_pattern') {
      const at = answer.position === undefined ? '' : ` (at character ${answer.position + 1})`;
      throw validationFailed([{ field: this.request.field, message: `${answer.message}${at}` }]);
    }
    this.matchesBlank ||= answer.matchesBlank;
    this.required = answer.required;
    for (const index of answer.redacted) {
      const sourceId = batch.documents[index]?.scoped.source.sourceId ?? '';
      this.redacted.set(sourceId, (this.redacted.get(sourceId) ?? 0) + 1);
    }
    let next = 0;
    for (const { index, lines } of answer.documents) {
      this.passed(batch.documents.slice(next, index));
      const queued = batch.documents[index] as Queued;
      const room = this.request.limit - this.count;
      if (room > 0) this.take(queued, lines.slice(0, room));
      if (room === 0 || lines.length > room) {
        this.documents += queued.excludedBefore;
        this.reason = 'limit';
        return;
      }
      next = index;
    }
    this.passed(batch.documents.slice(next, answer.examined));
    const cut = batch.documents[answer.examined];
    if (!cut) return;
    this.reason = 'deadline';
    this.documents += cut.excludedBefore;
    this.examinedLines = answer.examinedLines;
    if (answer.examinedLines > 0) this.place = placeIn(cut, answer.examinedLines);
  }

  /**
   * Ends the scan after a batch that took too long. The next request examines its lines one by
   * one; a line that is too slow alone is skipped, so that each request gets further.
   */
  private slow({ documents: [first], budgetMs, oneByOne }: Batch): void {
    this.reason = 'deadline';
    // A short time says nothing about the lines.
    if (!first || budgetMs < BATCH_BUDGET_MS) return;
    const line = first.document.afterLine ?? 0;
    // Several terms are matched with the whole document first.
    if (oneByOne && termsOf(this.request.query).length > 1) {
      this.skippedLines.push({ path: first.document.path, line: 0 });
      this.place = placeIn(first, WHOLE);
      return;
    }
    if (oneByOne) this.skippedLines.push({ path: first.document.path, line: line + 1 });
    this.place = { ...placeIn(first, oneByOne ? line + 1 : line), oneByOne: true };
  }

  private take(queued: Queued, lines: readonly MatchedLine[]): void {
    const { scoped, language, document } = queued;
    this.files.push({ scoped, path: document.path, language, lines });
    this.count += Math.max(1, lines.length);
    this.place = placeIn(queued, lines.at(-1)?.number ?? WHOLE);
  }

  private passed(documents: readonly Queued[]): void {
    for (const { excludedBefore } of documents) this.documents += 1 + excludedBefore;
    const last = documents.at(-1);
    if (last) this.place = placeIn(last, WHOLE);
  }
}

function placeIn({ scoped, document }: Queued, line: number): ScanPlace {
  return { sourceId: scoped.source.sourceId, path: document.path, line };
}

function cutAt(document: ScannedDocument, untilLine: number): ScannedDocument {
  return { ...document, untilLine };
}

function charactersOf({ pieces }: ScannedDocument): number {
  return pieces.reduce((sum, { content }) => sum + content.length, 0);
}
