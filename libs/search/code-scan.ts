import type { LineExpression, MatchedLine, MatchThreads, ScannedDocument } from '#code-search';
import { validationFailed } from '#contracts';
import type { ChunkFilter, SearchIndex } from '#search-index';

import type { CodeScope, ScanPlace } from './code-search-scope.js';
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
  readonly expression: LineExpression;
  readonly filter: ChunkFilter | undefined;
  readonly contextLines: number;
  /** Maximum matching lines. */
  readonly limit: number;
  /** Continues after this place. */
  readonly after: ScanPlace | undefined;
  /** Ends after so many documents, as a recorded scan did. */
  readonly maxDocuments: number | undefined;
  /** Returns the milliseconds that are left. */
  readonly remainingMs: () => number;
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
  /** Documents that were examined as a whole. */
  readonly documents: number;
  /** Why the scan ended early; undefined if it reached the end. */
  readonly reason: 'limit' | 'deadline' | undefined;
  /** The place to continue after; undefined at the end. */
  readonly place: ScanPlace | undefined;
  /** True if the expression matches blank lines, of which the index does not have all. */
  readonly matchesBlank: boolean;
}

/** A document that waits for its matches. */
interface Queued {
  readonly scoped: ScopedSource;
  readonly language: string;
  readonly document: ScannedDocument;
}

interface Batch {
  readonly documents: readonly Queued[];
  readonly answer: ReturnType<MatchThreads['run']>;
}

/**
 * One scan of the text of live generations. It reads documents in order and matches them in
 * threads, some batches ahead; the matches are taken in the order of the documents.
 */
export class CodeScan {
  private readonly files: ScannedFile[] = [];
  private readonly batches: Batch[] = [];
  private queued: Queued[] = [];
  private queuedCharacters = 0;
  private count = 0;
  private documents = 0;
  private reason: 'limit' | 'deadline' | undefined;
  private place: ScanPlace | undefined;
  private matchesBlank = false;
  private readonly deadline: AbortSignal;

  constructor(
    private readonly index: SearchIndex,
    private readonly threads: MatchThreads,
    private readonly request: ScanRequest,
  ) {
    this.place = request.after;
    this.deadline = AbortSignal.timeout(Math.max(1, Math.ceil(request.remainingMs())));
  }

  /** @throws FootnoteError `validation_failed` for an expression that cannot be used. */
  async run({ sources }: CodeScope): Promise<ScanResult> {
    // Without documents too, the expression is checked.
    this.send();
    let read = 0;
    try {
      for await (const queued of this.read(sources)) {
        if (read === this.request.maxDocuments) {
          await this.settleAll();
          if (!this.reason) this.reason = 'deadline';
          break;
        }
        read += 1;
        this.queued.push(queued);
        this.queuedCharacters += charactersOf(queued.document);
        if (this.queuedCharacters >= BATCH_CHARACTERS) await this.flush();
        if (this.reason) break;
        if (this.request.remainingMs() <= 0) {
          this.reason = 'deadline';
          break;
        }
      }
      if (!this.reason) {
        if (this.queued.length > 0) this.send();
        await this.settleAll();
      }
    } finally {
      for (const { answer } of this.batches) answer.catch(() => undefined);
    }
    const { files, count, documents, reason, matchesBlank } = this;
    return { files, count, documents, reason, matchesBlank, place: reason && this.place };
  }

  private async *read(sources: readonly ScopedSource[]): AsyncIterable<Queued> {
    const { after, filter } = this.request;
    const first = after ? sources.findIndex(({ source }) => source.sourceId === after.sourceId) : 0;
    for (const [at, scoped] of sources.slice(first).entries()) {
      const resumed = at === 0 ? after : undefined;
      const range = { from: resumed?.path, filter };
      for await (const { path, chunks } of this.index.documents(scoped.source, range)) {
        const isResumed = resumed?.path === path;
        // A line of -1 stands for the end of a document.
        if (isResumed && resumed.line === -1) continue;
        yield {
          scoped,
          language: chunks[0]?.language ?? '',
          document: {
            path,
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

  private async flush(): Promise<void> {
    this.send();
    while (this.batches.length >= MOST_BATCHES && !this.reason) await this.settle();
  }

  private send(): void {
    const documents = this.queued;
    this.queued = [];
    this.queuedCharacters = 0;
    const { tenantId, expression, contextLines, limit } = this.request;
    const budgetMs = Math.max(1, Math.min(BATCH_BUDGET_MS, this.request.remainingMs()));
    const batch = {
      expression,
      documents: documents.map(({ document }) => document),
      contextLines,
      // One more line shows that the limit cut something off.
      maxLines: limit - this.count + 1,
      budgetMs,
    };
    const answer = this.threads.run(tenantId, batch, this.deadline);
    answer.catch(() => undefined);
    this.batches.push({ documents, answer });
  }

  private async settleAll(): Promise<void> {
    while (this.batches.length > 0 && !this.reason) await this.settle();
  }

  /** Takes the matches of the oldest batch. */
  private async settle(): Promise<void> {
    const batch = this.batches.shift();
    if (!batch) return;
    const answer = await batch.answer.catch((error: unknown) => {
      if (this.deadline.aborted) return { kind: 'late' } as const;
      throw error;
    });
    if (answer.kind === 'late') {
      this.reason = 'deadline';
      return;
    }
    if (answer.kind === 'bad_pattern') {
      const at = answer.position === undefined ? '' : ` (at character ${answer.position + 1})`;
      throw validationFailed([{ field: 'pattern', message: `${answer.message}${at}` }]);
    }
    this.matchesBlank ||= answer.matchesBlank;
    let next = 0;
    for (const { index, lines } of answer.documents) {
      this.passed(batch.documents.slice(next, index));
      const queued = batch.documents[index] as Queued;
      const room = this.request.limit - this.count;
      this.take(queued, lines.slice(0, room));
      if (lines.length > room) {
        this.reason = 'limit';
        return;
      }
      next = index;
    }
    this.passed(batch.documents.slice(next, answer.examined));
    if (answer.examined < batch.documents.length) this.reason = 'deadline';
  }

  private take({ scoped, language, document }: Queued, lines: readonly MatchedLine[]): void {
    const last = lines.at(-1);
    if (!last) return;
    this.files.push({ scoped, path: document.path, language, lines });
    this.count += lines.length;
    this.place = { sourceId: scoped.source.sourceId, path: document.path, line: last.number };
  }

  private passed(documents: readonly Queued[]): void {
    this.documents += documents.length;
    const last = documents.at(-1);
    if (last)
      this.place = {
        sourceId: last.scoped.source.sourceId,
        path: last.document.path,
        line: -1,
      };
  }
}

function charactersOf({ pieces }: ScannedDocument): number {
  return pieces.reduce((sum, { content }) => sum + content.length, 0);
}
