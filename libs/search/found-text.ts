import { createHash } from 'node:crypto';

import type { DocumentLabel } from '#code-search/match/line-writer';
import { evidenceKey } from '#code-search/match/match-evidence';
import { type WrittenLines, writtenLines } from '#code-search/match/written-lines';

import { citedPath } from './cited-path.js';
import { type ScanPlace, WHOLE } from './code-search-scope.js';
import type { FoundDocument, FoundMatches, MatchOutput, Taken } from './match-output.js';
import type { Queued } from './scan-batch.js';
import type { DocumentToScan } from './scan-documents.js';
import type { TextSink } from './text-sink.js';

/** Bounds what one batch can write. */
const MOST_LINES_OF_A_BATCH = 10_000;
/** Text that is sent at once, and the longest wait for as much. */
const SENT_BYTES = 64 * 1024;
const MOST_WAIT_MS = 50;

/** Matches as text that threads have written; each source has a line with its name and version. */
export class FoundText implements MatchOutput {
  readonly writesText = true;
  readonly mostLines = MOST_LINES_OF_A_BATCH;
  /** Long answers end after many batches, so that each may be larger. */
  readonly batchBytes = 768 * 1024;
  readonly files = [];
  count = 0;
  fileCount = 0;
  private readonly hash = createHash('sha256');
  /** The document that was taken last. */
  private last: Queued['document'] | undefined;
  private lastSource: string | undefined;
  /** Parts that are not sent yet. */
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private pendingFiles = 0;
  private sentAt = -Infinity;

  constructor(
    private readonly sink: TextSink,
    private readonly limit: number,
  ) {}

  *matchesOf(answer: FoundMatches): Iterable<FoundDocument> {
    if (answer.kind !== 'written') throw new Error(`No text of ${answer.kind}`);
    for (const found of writtenLines(answer.documents))
      yield { index: found.index, take: (queued) => this.take(queued, found) };
  }

  flush(deadline: AbortSignal): Promise<void> | void {
    if (this.pendingBytes < SENT_BYTES && performance.now() < this.sentAt + MOST_WAIT_MS) return;
    this.end();
    return this.sink.room(deadline);
  }

  end(): void {
    if (this.pending.length === 0) return;
    const [first] = this.pending;
    const text = this.pending.length === 1 && first ? first : Buffer.concat(this.pending);
    this.sink.write(text, this.pendingFiles);
    this.pending = [];
    [this.pendingBytes, this.pendingFiles] = [0, 0];
    this.sentAt = performance.now();
  }

  digest(): string {
    return this.hash.digest('hex');
  }

  /** A text lists no sources, so there is nothing to mark. */
  marked(place: ScanPlace): ScanPlace {
    return place;
  }

  private take({ scoped: { source }, document }: Queued, found: WrittenLines): Taken {
    const room = this.limit - this.count;
    if (room === 0) return { isWhole: false, line: undefined };
    const { text, evidence, lastNumber } = found.first(room);
    if (source.sourceId !== this.lastSource) {
      this.add(Buffer.from(`# ${source.name} @${source.versionRef}\n`), 0);
      this.lastSource = source.sourceId;
    }
    // A document may continue in the next batch.
    const isNew = this.last?.path !== document.path || this.last.label?.key !== document.label?.key;
    this.last = document;
    this.fileCount += isNew ? 1 : 0;
    this.add(text, isNew ? 1 : 0);
    this.hash.update(evidence);
    this.count += Math.max(1, Math.min(room, found.count));
    return { isWhole: found.count <= room, line: lastNumber ?? WHOLE };
  }

  private add(text: Uint8Array, files: number): void {
    this.pending.push(text);
    this.pendingBytes += text.length;
    this.pendingFiles += files;
  }
}

/** Returns how a text names a document. */
export function labelOf({ scoped: { source }, document, indexed }: DocumentToScan): DocumentLabel {
  return {
    path: citedPath(document.path, indexed.language === 'openapi'),
    key: evidenceKey(source.sourceId, source.generation, document.path),
  };
}
