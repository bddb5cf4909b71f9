export { documentLines } from './match/document-lines.js';
export type { MatchedLine, ScannedDocument, SymbolLine } from './match/matched-line.js';

export { parseQuery } from './query/parse-query.js';
export { QueryError } from './query/query-error.js';
export { describeQuery, type QueryNode, termsOf } from './query/query-node.js';
export { MatchThreads } from './threads/match-threads.js';
