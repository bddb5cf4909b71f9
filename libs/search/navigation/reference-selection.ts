import {
  documentLines,
  type FileOccurrences,
  isParsedLanguage,
  type NameBinding,
  type NameOccurrence,
  type ReferenceThreads,
} from '#code-search';
import type { IndexedSymbol, SearchIndex } from '#search-index';

import type { ScannedFile } from '../scan-request.js';
import type { ScopedSource } from '../search-scope.js';
import type { PlacedIdentifier } from './identifier-at.js';
import type { PreciseRequest } from './precise/precise-navigation.port.js';
import { PreciseTargets } from './precise/precise-targets.js';
import type { FoundName } from './reference-scan.js';
import { type ReferenceTarget, ReferenceTargets, type ReferringFile } from './reference-targets.js';

/** Time that a thread may spend on a file that an import leads to. */
const FILE_BUDGET_MS = 3_000;

/** The name and its definitions, with the limits of a request. */
interface SelectionRequest {
  readonly tenantId: string;
  readonly name: string;
  readonly sources: readonly ScopedSource[];
  readonly definitions: readonly IndexedSymbol[];
  readonly precise: PreciseRequest;
  /** Files that a recorded request could not parse in time. */
  readonly unparsed: ReadonlySet<string>;
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
    const { name, definitions } = request;
    this.precise = new PreciseTargets(request.precise);
    this.targets = new ReferenceTargets(name, definitions, (file) => this.read(file));
  }

  /** Keeps what the identifier at a place stands for; without a result if nothing shows it. */
  async want({ scoped, path, language, line, column }: PlacedIdentifier): Promise<void> {
    const file = { sourceId: scoped.source.sourceId, path, language };
    this.isPlaced = true;
    await this.precise.load(scoped);
    this.wanted = this.precise.at(file, { line, column });
    if (this.wanted) return;
    const occurrences = isParsedLanguage(language) ? await this.read(file) : undefined;
    const found = occurrences?.names.find((each) => each.line === line && each.column === column);
    this.wanted = found && (await this.resolved(file, found.binding));
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
        if (this.isOther(precise, isInner)) this.leftOut += 1;
        else selected.push({ ...name, isImport, isDefinition, precision: 'precise' });
        continue;
      }
      const target = await this.resolved(file, name.binding);
      if (this.isOther(target, target?.isLocal)) this.leftOut += 1;
      else selected.push({ ...name, precision: this.isSure(target) ? 'resolved' : 'name' });
    }
    return selected;
  };

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
    const { tenantId, name, sources, unparsed, gone, remainingMs } = this.request;
    const scoped = sources.find(({ source }) => source.sourceId === sourceId);
    const chunks = scoped ? await this.index.document(scoped.source, path) : [];
    const language = chunks[0]?.language ?? '';
    const key = `${sourceId}/${path}`;
    if (!isParsedLanguage(language) || unparsed.has(key)) return undefined;
    const budgetMs = Math.min(FILE_BUDGET_MS, remainingMs());
    const file = { path, language, text: documentLines({ pieces: chunks }).lines.text };
    const request = { name, files: [file], budgetMs: Math.max(1, budgetMs), stop: this.stop };
    const answer = await this.threads.run(tenantId, request, gone);
    const found = answer.kind === 'late' ? undefined : answer.files[0];
    if (found?.isParsed) return found;
    this.unread.add(key);
    return undefined;
  }
}
