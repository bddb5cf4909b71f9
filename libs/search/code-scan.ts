import { type MatchThreads, termsOf } from '#code-search';
import type { MatchAnswer } from '#code-search/threads/match-protocol';
import { type FootnoteError, validationFailed } from '#contracts';
import { ANY_TEXT, type RequiredText } from '#contracts/content/required-text';
import type { SearchIndex } from '#search-index';

import { throwIfGone } from './client-gone.js';
import { type CodeScope, type ScanPlace, WHOLE } from './code-search-scope.js';
import { FoundFiles } from './found-files.js';
import { FoundText, labelOf } from './found-text.js';
import type { FoundMatches, MatchOutput } from './match-output.js';
import { type Batch, bytesOf, cutAt, placeIn, type Queued, withTexts } from './scan-batch.js';
import { type DocumentToScan, scanDocuments } from './scan-documents.js';
import type { ScanRequest, ScanResult, SkippedLine } from './scan-request.js';
import type { ScopedSource } from './search-scope.js';

/** Bytes of text in the first batch. Each next one has twice as many, up to the maximum. */
const FIRST_BATCH_BYTES = 16 * 1024;
/** Batches at work or ready, so that threads do not wait for the next text. */
const MOST_BATCHES = 3;
/** Time that a thread may spend on one batch, so that no pattern keeps it from others for long. */
const BATCH_BUDGET_MS = 1_000;

type BadPattern = Extract<MatchAnswer, { readonly kind: 'bad_pattern' }>;

/**
 * One scan of the text of live generations. It posts documents in order to threads, which read and
 * match them some batches ahead; the matches are taken in the order of the documents. Documents
 * that the index excludes count as examined; their text is not read.
 */
export class CodeScan {
  private readonly output: MatchOutput;
  private readonly batches: Batch[] = [];
  private queued: Queued[] = [];
  private queuedBytes = 0;
  /** Small at first: many requests have all their lines after some documents. */
  private batchBytes = FIRST_BATCH_BYTES;
  /** Bytes of the batches whose matches were taken. */
  private takenBytes = 0;
  private documents = 0;
  private examinedLines = 0;
  private readonly skippedLines: SkippedLine[] = [];
  private readonly redacted = new Map<string, number>();
  private reason: 'limit' | 'deadline' | undefined;
  private place: ScanPlace | undefined;
  private lacksBlankLines = false;
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
    this.output = request.text
      ? new FoundText(request.text, request.limit)
      : new FoundFiles(request);
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(request.remainingMs())));
    const { gone, ended } = request;
    const signals = [timeout, gone, ended].filter((signal) => signal !== undefined);
    this.deadline = AbortSignal.any(signals);
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
      this.output.end();
    } finally {
      Atomics.store(new Int32Array(this.stop), 0, 1);
    }
    const { output, documents, reason, lacksBlankLines, skippedLines, redacted } = this;
    const end = { documents, lines: this.examinedLines };
    return {
      files: output.files,
      fileCount: output.fileCount,
      count: output.count,
      digest: output.digest(),
      end,
      redacted,
      skippedLines,
      reason,
      lacksBlankLines,
      place: reason && this.place && output.marked(this.place),
    };
  }

  private async scan(sources: readonly ScopedSource[]): Promise<void> {
    const { end, after, gone, remainingMs } = this.request;
    let oneByOne = after?.oneByOne ?? false;
    let read = 0;
    for await (const queued of this.documentsOf(sources)) {
      throwIfGone(gone);
      if (remainingMs() <= 0) this.reason = 'deadline';
      if (this.reason) return;
      const left = (end?.documents ?? Infinity) - read;
      const isLast = left === 0;
      if (isLast && end?.lines === 0) break;
      if (typeof queued === 'number') {
        read += queued;
        this.excluded += Math.min(queued, left);
        if (queued <= left) continue;
        // The recorded scan ended within a document that is excluded.
        if (end) this.examinedLines = end.lines;
        break;
      }
      read += 1;
      const { document } = queued;
      this.queued.push({
        ...queued,
        excludedBefore: this.excluded,
        document: {
          ...(isLast && end ? cutAt(document, end.lines) : document),
          ...(this.output.writesText && { label: labelOf(queued) }),
        },
      });
      this.excluded = 0;
      this.queuedBytes += bytesOf(document);
      if (isLast) break;
      if (oneByOne || this.queuedBytes >= this.batchBytes) await this.flush(oneByOne);
      oneByOne = false;
    }
    if (this.reason) return;
    if (this.queued.length > 0) this.send();
    while (this.batches.length > 0 && !this.reason) await this.settle();
    if (!this.reason) this.documents += this.excluded;
    if (end && read >= end.documents) this.reason ??= 'deadline';
  }

  private documentsOf(sources: readonly ScopedSource[]): AsyncIterable<DocumentToScan | number> {
    const { after, filter, query } = this.request;
    const needsSymbols = termsOf(query).some(({ field }) => field === 'sym');
    const range = { after, filter, needsSymbols, required: this.required };
    return scanDocuments(this.index, sources, range);
  }

  private async flush(oneByOne: boolean): Promise<void> {
    this.send(oneByOne);
    this.batchBytes = Math.min(this.output.batchBytes, this.batchBytes * 2);
    while (this.batches.length >= (oneByOne ? 1 : MOST_BATCHES) && !this.reason)
      await this.settle();
    while (this.expectsEnough() && !this.reason) await this.settle();
  }

  /** Reports whether the batches at work reach the limit, if they have as many lines as before. */
  private expectsEnough(): boolean {
    const bytes = this.batches.reduce((sum, batch) => sum + batch.bytes, 0);
    const { count } = this.output;
    const expected = (count * bytes) / Math.max(1, this.takenBytes);
    return this.batches.length > 0 && count + expected > this.request.limit;
  }

  private send(oneByOne = false): void {
    this.batches.push(this.post(this.queued, this.queuedBytes, oneByOne));
    this.queued = [];
    this.queuedBytes = 0;
  }

  private post(documents: readonly Queued[], bytes: number, oneByOne: boolean): Batch {
    const { tenantId, query, contextLines, limit, listsSources } = this.request;
    const { output } = this;
    // One more line shows that the limit cut something off.
    const most = Math.min(limit - output.count + 1, output.mostLines);
    const maxLines = listsSources ? Number.MAX_SAFE_INTEGER : most;
    const budgetMs = Math.max(1, Math.min(BATCH_BUDGET_MS, this.request.remainingMs()));
    const batch = {
      query,
      documents: documents.map(({ document }) => document),
      contextLines,
      maxLines,
      writesText: output.writesText,
      budgetMs,
      oneByOne,
      stop: this.stop,
    };
    const answer = this.threads.run(tenantId, batch, this.deadline);
    answer.catch(() => undefined);
    return { documents, bytes, answer, budgetMs, oneByOne, maxLines };
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
    if (answer.kind === 'unread') {
      // The index reads the text itself, and repairs what is damaged.
      this.batches.unshift(
        this.post(await withTexts(batch.documents), batch.bytes, batch.oneByOne),
      );
      return this.settle();
    }
    if (answer.kind === 'bad_pattern') throw badPattern(this.request.field, answer);
    await this.take(batch, answer);
    if (!this.output.writesText) return;
    await this.output.flush(this.deadline);
    if (this.request.remainingMs() <= 0) this.reason ??= 'deadline';
  }

  private async take(batch: Batch, answer: FoundMatches): Promise<void> {
    this.lacksBlankLines ||= answer.lacksBlankLines;
    this.required = answer.required;
    for (const index of answer.redacted) {
      const sourceId = batch.documents[index]?.scoped.source.sourceId ?? '';
      this.redacted.set(sourceId, (this.redacted.get(sourceId) ?? 0) + 1);
    }
    let next = 0;
    const before = this.output.count;
    for (const { index, take } of this.output.matchesOf(answer)) {
      this.passed(batch.documents.slice(next, index));
      const queued = batch.documents[index] as Queued;
      const { isWhole, line } = await take(queued);
      if (line !== undefined) this.place = placeIn(queued, line);
      if (!isWhole) {
        this.documents += queued.excludedBefore;
        this.reason = 'limit';
        return;
      }
      next = index;
    }
    this.takenBytes += batch.bytes;
    this.passed(batch.documents.slice(next, answer.examined));
    const cut = batch.documents[answer.examined];
    if (!cut) return;
    if (this.output.count - before === batch.maxLines) {
      this.postRest(batch, answer);
      return;
    }
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

  /** Posts what a thread left of a batch that has more lines than an answer. */
  private postRest(
    { documents, bytes, oneByOne }: Batch,
    { examined, examinedLines }: FoundMatches,
  ): void {
    const [cut, ...others] = documents.slice(examined);
    if (!cut) return;
    const rest = { ...cut, document: { ...cut.document, afterLine: examinedLines } };
    this.batches.unshift(this.post([rest, ...others], bytes, oneByOne));
  }

  private passed(documents: readonly Queued[]): void {
    for (const { excludedBefore } of documents) this.documents += 1 + excludedBefore;
    const last = documents.at(-1);
    if (last) this.place = placeIn(last, WHOLE);
  }
}

/** Returns the error of an expression that cannot be used, with the remedy for its request. */
function badPattern(
  field: ScanRequest['field'],
  { message, position, mayBeText }: BadPattern,
): FootnoteError {
  const isText = field === 'query' ? 'put the text in quotes' : 'set regex to false';
  const remedy = mayBeText ? `; escape the character with \\ or ${isText}` : '';
  const at = position === undefined ? '' : ` (at character ${position + 1})`;
  return validationFailed([{ field, message: `${message}${remedy}${at}` }]);
}
