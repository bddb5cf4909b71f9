import { z } from 'zod';

import type { Citation, NoEvidence, SearchResponse } from '#contracts';

import type { Receipted } from '../agent-service.port.js';
import { sourcesNamed } from '../source-names.js';
import { shortVersion } from '../text/citation-line.js';
import { oneLine } from '../text/one-line.js';
import { passageAnswer } from '../text/passage-answer.js';
import { agentTool, type TokenCounter, type ToolAnswer } from '../tool.types.js';
import { maxTokens, sourceName } from './inputs.js';

/** Passages of an answer in which nothing fits well. */
const FEW_PASSAGES = 3;
const MOST_PASSAGES = 12;

/** Ranked, cited passages of the tenant's sources. */
export const searchTool = agentTool({
  name: 'search',
  toolset: 'default',
  scope: 'read',
  title: 'Search sources',
  description:
    'Searches the indexed repositories, docs, API specifications and PDFs by meaning and by words. ' +
    'Returns passages with their citation: source path:lines @version.',
  input: z.strictObject({
    query: z.string().min(1).max(2_000).describe('Question, words or an identifier'),
    sources: z
      .array(sourceName)
      .max(50)
      .optional()
      .describe('Names, owner/repo or ids; default all'),
    paths: z.array(z.string().min(1).max(256)).max(50).optional().describe('Globs of paths'),
    languages: z.array(z.string().min(1).max(50)).max(50).optional(),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run({ query, sources, paths, languages, max_tokens }, { service, countTokens }) {
    const named = sources?.length ? await sourcesNamed(service, sources) : undefined;
    const found = await service.search({
      query,
      ...(named && { source_ids: named.map(({ id }) => id) }),
      ...(paths?.length && { path_patterns: paths }),
      ...(languages?.length && { languages }),
      max_tokens,
      top_k: MOST_PASSAGES,
      include_stale: true,
    });
    return searchAnswer(found, max_tokens, countTokens);
  },
});

/** Returns the passages of a search as a tool shows them, within a budget. */
export function searchAnswer(
  { answer, receiptId }: Receipted<SearchResponse | NoEvidence>,
  room: number,
  countTokens: TokenCounter,
): ToolAnswer {
  if (!('results' in answer))
    return { text: nothing(answer), data: { ...answer, query: undefined, receipt_id: receiptId } };
  const { confidence } = answer.evidence_quality;
  const isPoor = confidence === 'low' || confidence === 'insufficient';
  const results = isPoor ? answer.results.slice(0, FEW_PASSAGES) : answer.results;
  const head = isPoor
    ? `Nothing fits well (confidence ${confidence}); the nearest passages:`
    : `Confidence ${confidence}.`;
  const tail = [
    ...answer.warnings.map(oneLine),
    receiptId === null ? '' : `Receipt ${receiptId}.`,
  ].filter(Boolean);
  const { text, shown } = passageAnswer({ head, passages: results, tail, room }, countTokens);
  return {
    text,
    data: { ...answer, query: undefined, results: results.slice(0, shown), receipt_id: receiptId },
    cut: {
      lists: ['results', 'conflicts', 'warnings'],
      continued: () => ({ more: 'Repeat with a larger max_tokens' }),
    },
    files: results.slice(0, shown).map(({ citation }) => fileOf(citation)),
  };
}

/** Returns the whole file of a citation, without the fragment of a page; a commit is short. */
function fileOf({ source_name: source, version_ref, path, language }: Citation) {
  return {
    source,
    version: shortVersion(version_ref),
    path: language === 'markdown' ? (path.split('#', 1)[0] ?? path) : path,
  };
}

function nothing({ message, suggestions }: NoEvidence): string {
  return [`No evidence: ${message}`, ...suggestions.map((each) => `- ${each}`)].join('\n');
}
