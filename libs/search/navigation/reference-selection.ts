import {
  documentLines,
  type FileOccurrences,
  isParsedLanguage,
  type NameBinding,
  type NameOccurrence,
  type ReferenceThreads,
} from '#code-search';
import type { IndexedChunk, IndexedSymbol, SearchIndex } from '#search-index';

import type { ScannedFile } from '../scan-request.js';
import type { ScopedSource } from '../search-scope.js';
import type { PlacedIdentifier } from './identifier-at.js';
import { ImportedReleases } from './imported-releases.js';
import type { PreciseRequest } from './precise/precise-navigation.port.js';
import { type PreciseTarget, PreciseTargets } from './precise/precise-targets.js';
import type { FoundName } from './reference-scan.js';
import { type ReferenceTarget, ReferenceTargets } from './reference-targets.js';
import type { ReferringFile } from './referring-file.js';

/** Time that a thread may spend on a file that an import leads to. */
const FILE_BUDGET_MS = 3_000;

/** The name and its definitions, with the limits of a request. */
export interface SelectionRequest {
  readonly tenantId: string;
  readonly name: string;
  readonly sources: readonly ScopedSource[];
  readonly definitions: readonly IndexedSymbol[];
  readonly precise: PreciseRequest;
  /** Files that a recorded request could not parse in time. */
  readonly unparsed: ReadonlySet<string>;
  /** True if imports may lead into releases of packages. */
  readonly followsReleases: boolean;
  readonly gone: AbortSignal | undefined;
  readonly remainingMs: () => number;
}

/**
 * Selects identifiers by what they stand for. A name inside a function is only a reference if it
 * was asked for by its place.
 */
export class ReferenceSelection {
  /** Identifiers that stand for something else. */
  leftOut = 0;
  /** Files that imports lead to and that were not parsed in time. */
  readonly unread = new Set<string>();
  /** The meaning of the identifier at the place that was asked for. */
  wanted: ReferenceTarget | undefined;
  /** True if a place was asked for. */
  private isPlaced = false;
  private readonly targets: ReferenceTargets;
  private readonly precise: PreciseTargets;
  private readonly stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  constructor(
    private readonly index: SearchIndex,
    private readonly threads: ReferenceThreads,
    private readonly request: SelectionRequest,
  ) {
    const { name, definitions, sources } = request;
    this.precise = new PreciseTargets(request.precise);
    const releases = request.followsReleases
      ? new ImportedReleases(sources, (sourceId, path) => this.text(sourceId, path))
      : undefined;
    this.targets = new ReferenceTargets(name, definitions, (file) => this.read(file), releases);
  }

  /** Keeps what the identifier at a place stands for; without a result if nothing shows it. */
  async want({ scoped, path, language, line, column }: PlacedIdentifier): Promise<void> {
    const file = { sourceId: scoped.source.sourceId, path, language };
    this.isPlaced = true;
    await this.precise.load(scoped);
    const precise = this.precise.at(file, { line, column });
    this.wanted = precise;
    if (precise && !this.isImported(precise)) return;
    const occurrences = isParsedLanguage(language) ? await this.read(file) : undefined;
    const found = occurrences?.names.find((each) => each.line === line && each.column === column);
    const resolved = found && (await this.resolved(file, found.binding));
    if (!precise) this.wanted = resolved;
    else if (resolved) this.wanted = { ...precise, keys: [...precise.keys, ...resolved.keys] };
  }

  readonly select = async (
    { scoped, path, language }: ScannedFile,
    names: readonly NameOccurrence[],
  ): Promise<readonly FoundName[]> => {
    const file = { sourceId: scoped.source.sourceId, path, language };
    const selected: FoundName[] = [];
    await this.precise.load(scoped);
    for (const name of names) {
      const precise = this.precise.at(file, name);
      if (precise) {
        const { isDefinition, isInner } = precise;
        const isImport = name.isImport || precise.isImport;
        if (!this.isOther(precise, isInner))
          selected.push({ ...name, isImport, isDefinition, precision: 'precise' });
        else if (await this.isImportedTarget(file, name, precise))
          selected.push({ ...name, isImport, precision: 'resolved' });
        else this.leftOut += 1;
        continue;
      }
      const target = await this.resolved(file, name.binding);
      if (this.isOther(target, target?.isLocal)) this.leftOut += 1;
      else selected.push({ ...name, precision: this.isSure(target) ? 'resolved' : 'name' });
    }
    return selected;
  };

  /** Returns true if an indexer saw only the import of a symbol, whose release defines it. */
  private isImported({ isOutside }: PreciseTarget): boolean {
    return isOutside && this.request.followsReleases;
  }

  private async isImportedTarget(
    file: ReferringFile,
    { binding }: NameOccurrence,
    precise: PreciseTarget,
  ): Promise<boolean> {
    if (!this.isImported(precise)) return false;
    const target = await this.resolved(file, binding);
    return target !== undefined && !this.isOther(target, target.isLocal);
  }

  private async resolved(
    file: ReferringFile,
    binding: NameBinding,
  ): Promise<ReferenceTarget | undefined> {
    const target = await this.targets.of(file, binding);
    return target && this.precise.comparable(target);
  }

  /** Without the meaning of the place, a definition elsewhere shows nothing. */
  private isSure(target: ReferenceTarget | undefined): boolean {
    return target !== undefined && (!this.isPlaced || this.wanted !== undefined);
  }

  private isOther(target: ReferenceTarget | undefined, isInner = false): boolean {
    const { wanted } = this;
    if (!wanted) return isInner;
    if (!target) return wanted.isLocal;
    return !target.keys.some((key) => wanted.keys.includes(key));
  }

  private async read({ sourceId, path }: ReferringFile): Promise<FileOccurrences | undefined> {
    const { tenantId, name, gone, remainingMs } = this.request;
    const chunks = await this.document(sourceId, path);
    const language = chunks[0]?.language ?? '';
    if (!isParsedLanguage(language)) return undefined;
    const budgetMs = Math.min(FILE_BUDGET_MS, remainingMs());
    const file = { path, language, text: documentLines({ pieces: chunks }).lines.text };
    const request = { name, files: [file], budgetMs: Math.max(1, budgetMs), stop: this.stop };
    const answer = await this.threads.run(tenantId, request, gone);
    const found = answer.kind === 'late' ? undefined : answer.files[0];
    if (found?.isParsed) return found;
    this.unread.add(`${sourceId}/${path}`);
    return undefined;
  }

  private async text(sourceId: string, path: string): Promise<string | undefined> {
    const chunks = await this.document(sourceId, path);
    return chunks.length === 0 ? undefined : documentLines({ pieces: chunks }).lines.text;
  }

  /** Returns nothing once the time is over; a replay of the request reads no more files. */
  private async document(sourceId: string, path: string): Promise<readonly IndexedChunk[]> {
    const { sources, unparsed, remainingMs } = this.request;
    const key = `${sourceId}/${path}`;
    if (unparsed.has(key)) return [];
    if (remainingMs() <= 0) {
      this.unread.add(key);
      return [];
    }
    const scoped = sources.find(({ source }) => source.sourceId === sourceId);
    return scoped ? this.index.document(scoped.source, path) : [];
  }
}
