import { createHash } from 'node:crypto';

import type { MatchedLine } from '#code-search';
import { evidenceKey, evidenceOfDocument, evidenceOfLine } from '#code-search/match/match-evidence';
import { unpackMatches } from '#code-search/threads/packed-matches';

import { type ScanPlace, WHOLE } from './code-search-scope.js';
import { withSymbols } from './line-symbols.js';
import type { FoundDocument, FoundMatches, MatchOutput, Taken } from './match-output.js';
import type { Queued } from './scan-batch.js';
import type { ScannedFile, ScanRequest } from './scan-request.js';

/** Matches as files with their lines, or as sources that are listed once. */
export class FoundFiles implements MatchOutput {
  readonly writesText = false;
  readonly mostLines = Number.MAX_SAFE_INTEGER;
  readonly batchBytes = 256 * 1024;
  readonly files: ScannedFile[] = [];
  count = 0;
  /** Sources that were listed, by id. */
  private readonly listed = new Set<string>();

  constructor(
    private readonly request: Pick<
      ScanRequest,
      'limit' | 'budget' | 'listsSources' | 'onFile' | 'after'
    >,
  ) {
    const { after } = request;
    if (after?.isListed) this.listed.add(after.sourceId);
  }

  *matchesOf(answer: FoundMatches): Iterable<FoundDocument> {
    if (answer.kind !== 'matches') throw new Error(`No files in ${answer.kind} lines`);
    for (const { index, lines } of unpackMatches(answer.documents))
      yield { index, take: (queued) => this.take(queued, lines) };
  }

  get fileCount(): number {
    return this.files.length;
  }

  flush(): void {
    // Files are shown when they are found.
  }

  end(): void {
    // As above.
  }

  marked(place: ScanPlace): ScanPlace {
    const isListed = this.request.listsSources === true && this.listed.has(place.sourceId);
    return isListed ? { ...place, isListed } : place;
  }

  /** Hashes the files with the numbers and ranges of their lines. */
  digest(): string {
    const hash = createHash('sha256');
    for (const { scoped, path, lines } of this.files) {
      const key = evidenceKey(scoped.source.sourceId, scoped.source.generation, path);
      const rows = lines.map(({ number, ranges }) => evidenceOfLine(key, number, ranges));
      hash.update(lines.length === 0 ? evidenceOfDocument(key) : rows.join(''));
    }
    return hash.digest('hex');
  }

  private async take(queued: Queued, lines: readonly MatchedLine[]): Promise<Taken> {
    const { scoped, document, indexed } = queued;
    const { limit, budget, listsSources, onFile } = this.request;
    const { path } = document;
    const { sourceId, name } = scoped.source;
    if (listsSources && this.listed.has(sourceId)) return { isWhole: true, line: undefined };
    const nothing = { isWhole: false, line: undefined };
    const room = limit - this.count;
    if (room === 0) return nothing;
    if (listsSources || lines.length === 0) {
      if (!(budget?.fitsPath(listsSources ? name : path) ?? true)) return nothing;
      this.listed.add(sourceId);
    }
    const shown = listsSources ? [] : lines.slice(0, room);
    const fitting = budget ? await budget.fit(path, shown) : shown;
    if (shown.length > 0 && fitting.length === 0) return nothing;
    const { language } = indexed;
    const file = { scoped, path, language, lines: withSymbols(fitting, indexed) };
    this.files.push(file);
    onFile?.(file);
    this.count += Math.max(1, fitting.length);
    const isWhole = listsSources === true || fitting.length === lines.length;
    return { isWhole, line: fitting.at(-1)?.number ?? WHOLE };
  }
}
