import { compileChunkFilter } from '../../chunk-filter.js';
import type { IndexedSymbol, SymbolQuery } from '../../search-index.port.js';
import { humpsOf, type SymbolMatch, symbolRanker } from '../../symbol-match.js';
import { inSymbolOrder, type OrderedSymbol, symbolsOf } from '../../symbols/symbols-of.js';
import { decodeRanking } from '../ranking-data.js';
import { rowFilters } from '../row-filter.js';
import { rankingOf, type RowReader } from '../row-reader.js';
import type { SourceRecords } from '../source-records.js';

const ROWS_PAGE = 500;
/** Characters that have a meaning in the server's expressions. */
const SPECIAL = /[^\p{L}\p{N}_]/gu;

/** Finds definitions by the names of their rows, which the ranking data then describes. */
export class SymbolReader {
  constructor(
    private readonly records: SourceRecords,
    private readonly rows: RowReader,
  ) {}

  async find({ scope, match, filter, limit }: SymbolQuery): Promise<IndexedSymbol[]> {
    await this.records.loaded([...scope]);
    const rank = symbolRanker(match);
    const isWanted = (name: string): boolean => rank(name) !== undefined;
    const accept = filter ? compileChunkFilter(filter) : () => true;
    const sources = new Map(
      scope.map((source) => [keyOf(source.tenantId, source.sourceId), source]),
    );
    const found: OrderedSymbol[] = [];
    for (const { routing, clause } of rowFilters(scope)) {
      const named = { routing, clause: { bool: { filter: [clause, nameClause(match)] } } };
      const page = { size: ROWS_PAGE, _source: false, docvalue_fields: ['ranking'] };
      const order = ['source_id', 'path', 'ordinal', 'chunk_id'];
      let count = 0;
      for await (const hit of this.rows.hits(named, page, order)) {
        const { meta } = decodeRanking(rankingOf(hit));
        const source = sources.get(keyOf(meta.tenant_id, meta.source_id));
        if (!source || !accept(meta)) continue;
        const symbols = symbolsOf(source, meta, isWanted);
        found.push(...symbols);
        count += symbols.length;
        if (count >= limit) break;
      }
    }
    return inSymbolOrder(found, limit);
  }
}

function keyOf(tenantId: string, sourceId: string): string {
  return `${tenantId}/${sourceId}`;
}

/** Returns a clause that matches at least the rows with a matching name, also of a member. */
function nameClause(match: SymbolMatch): object {
  const should = ['defs', 'members'].flatMap((field) => fieldClauses(field, match));
  return { bool: { should, minimum_should_match: 1 } };
}

function fieldClauses(field: string, { text, kind }: SymbolMatch): readonly object[] {
  if (kind === 'exact') return [{ term: { [field]: text } }];
  const prefix = { prefix: { [field]: { value: text, case_insensitive: true } } };
  const humps = humpsOf(text).map((hump) => hump.replace(SPECIAL, '\\$&'));
  if (humps.length < 2) return [prefix];
  const value = `[^a-zA-Z0-9]*${humps.join('.*')}.*`;
  return [prefix, { regexp: { [field]: { value, case_insensitive: true } } }];
}
