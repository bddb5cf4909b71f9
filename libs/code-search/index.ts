export { documentLines } from './match/document-lines.js';
export { enclosingSymbols } from './match/enclosing-symbols.js';
export type { MatchedLine, ScannedDocument, TextPiece } from './match/matched-line.js';

export { parseQuery, readQuery, type ReadQuery } from './query/parse-query.js';
export { QueryError } from './query/query-error.js';
export { describeQuery, type QueryNode, termsOf } from './query/query-node.js';
export type { PostedDocument } from './threads/match-protocol.js';
export { MatchThreads } from './threads/match-threads.js';

export { OccurrenceTable, type TableOccurrence } from './scip/occurrence-table.js';
export { moduleFiles, submodule } from './references/module-files.js';
export type {
  FileOccurrences,
  NameBinding,
  NamedFile,
  NameOccurrence,
  NamePlace,
} from './references/name-occurrence.js';
export { grammarOf, isParsedLanguage } from './references/parsed-languages.js';
export { ReferenceThreads } from './references/reference-threads.js';
export { textOccurrences } from './references/text-occurrences.js';
