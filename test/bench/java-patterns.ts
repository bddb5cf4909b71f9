import type { LineExpression } from '#code-search/pattern/line-engine.port';

const regex = (pattern: string, fields: Partial<LineExpression> = {}): LineExpression => {
  return { pattern, regex: true, caseSensitive: true, word: false, ...fields };
};

/** Patterns that people search Java for; the last one has no literal. */
export const JAVA_PATTERNS: readonly LineExpression[] = [
  regex('NetworkClientUtils', { regex: false }),
  regex('public', { regex: false }),
  regex('max\\.poll\\.records'),
  regex('KafkaConsumer<\\w+, \\w+>'),
  regex('catch \\((\\w+Exception) (e|ex)\\)'),
  regex('log\\.(debug|info)\\(".*offset.*"'),
  regex('[A-Z]{3,}_TIMEOUT_MS'),
  regex('^import org\\.apache\\.kafka\\.(clients|common)\\.\\w+;'),
  regex('\\b(todo|fixme)\\b', { caseSensitive: false }),
  regex('new \\w+Builder\\(\\)'),
  regex('class \\w+ implements .*Closeable'),
  regex('\\d{5,}L'),
];
export const WITHOUT_LITERAL = '\\d{5,}L';
