export { documentLines } from './match/document-lines.js';
export type { MatchedLine, ScannedDocument } from './match/matched-line.js';

export type { LineExpression } from './pattern/line-engine.port.js';
export { MatchThreads } from './threads/match-threads.js';
