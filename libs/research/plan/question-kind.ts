import type { QuestionKind } from './question.types.js';

/** The first pattern that matches decides. */
const PATTERNS: readonly (readonly [QuestionKind, RegExp])[] = [
  ['compare', /\b(?:compare[ds]?|versus|vs|differ|differs|differences?|different|instead of)\b/i],
  [
    'callers',
    /\b(?:who|what|which \w+) (?:calls?|uses?|invokes?|imports?|depends? on)\b|\bcallers?\b|\b(?:called|used|invoked|imported) (?:by|from)\b/i,
  ],
  ['why', /\bwhy\b|\breasons?\b/i],
  [
    'setting',
    /\b(?:settings?|options?|flags?|config(?:ure[ds]?|uration)?|environment variables?|env vars?|defaults?)\b/i,
  ],
  [
    'where',
    /\bwhere\b|\b(?:which|what) (?:file|files|module|class|function|method)\b|\bdefined\b/i,
  ],
  ['how', /\bhow\b|\bwhat happens\b/i],
];

/** Returns the kind of a question by its words. */
export function kindOf(question: string): QuestionKind {
  return PATTERNS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other';
}
