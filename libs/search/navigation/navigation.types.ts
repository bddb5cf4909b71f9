import type { ReceiptCode } from '#contracts';
import type { DefinitionsQuery, DefinitionsView, SymbolsQuery } from '#contracts/http/index';

import type { SearchMoment } from '../search-moment.js';

/** A request for symbols or definitions, independent of its transport. */
export type NavigationRequest =
  | ({ readonly operation: 'symbols' } & Readonly<SymbolsQuery>)
  | ({ readonly operation: 'definitions' } & Readonly<DefinitionsQuery>);

export type NavigationAnswer = DefinitionsView;

/** An answer with all that a receipt shows of it. */
export interface NavigationOutcome {
  readonly request: NavigationRequest;
  readonly moment: SearchMoment;
  readonly answer: NavigationAnswer;
  readonly evidence: ReceiptCode;
}
