import type { ReceiptCode } from '#contracts';
import type {
  DefinitionsQuery,
  DefinitionsView,
  ReferencesQuery,
  ReferencesView,
  SymbolsQuery,
} from '#contracts/http/index';

import type { SearchMoment } from '../search-moment.js';
import type { UsedTable } from './precise/precise-navigation.port.js';

/** A request for symbols or definitions, independent of its transport. */
export type DefinitionsRequest =
  | ({ readonly operation: 'symbols' } & Readonly<SymbolsQuery>)
  | ({ readonly operation: 'definitions' } & Readonly<DefinitionsQuery>);

/** A request for references, independent of its transport. */
export type ReferencesRequest = { readonly operation: 'references' } & Readonly<ReferencesQuery>;

export type NavigationRequest = DefinitionsRequest | ReferencesRequest;

/** An answer with all that a receipt shows of it. */
interface Outcome<Request, Answer> {
  readonly request: Request;
  readonly moment: SearchMoment;
  readonly answer: Answer;
  readonly evidence: ReceiptCode;
  /** Tables of occurrences that it used. */
  readonly tables: readonly UsedTable[];
}

/** The parts of a request that depend on its time and on the version; a replay keeps to them. */
export interface ReferencesEnd {
  /** Cursor at which a deadline ended the scan. */
  readonly cursor?: string;
  /** Files that were not parsed in time, as source and path. */
  readonly unparsed?: readonly string[];
  /** True if imports were followed into releases of packages; earlier versions did not. */
  readonly releases?: true;
}

export interface DefinitionsOutcome extends Outcome<DefinitionsRequest, DefinitionsView> {
  /** Only of a place whose meaning was looked for. */
  readonly end?: ReferencesEnd;
}

export interface ReferencesOutcome extends Outcome<ReferencesRequest, ReferencesView> {
  readonly end: ReferencesEnd;
}

export type NavigationOutcome = DefinitionsOutcome | ReferencesOutcome;
