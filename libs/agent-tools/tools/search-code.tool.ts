import { z } from 'zod';

import { matchTexts } from '#contracts/content/match-texts';
import type { CodeFileView, CodeSearchBody, CodeSearchResponseView } from '#contracts/http/index';

import type { AgentService, Receipted } from '../agent-service.port.js';
import { sourcesNamed } from '../source-names.js';
import { shortVersion } from '../text/citation-line.js';
import { incompleteness, lineAnswer } from '../text/line-answer.js';
import { oneLine } from '../text/one-line.js';
import { agentTool, type TokenCounter, type ToolAnswer } from '../tool.types.js';
import { ToolProblem } from '../tool-problem.js';
import { definedFields } from './defined-fields.js';
import { maxTokens, sourceName } from './inputs.js';
import { packageRelease, releaseNamed } from './release-input.js';

/** Tokens of the summary and the fences. */
const FRAME = 200;
const MOST_LINES = 500;

/** Every line of the tenant's sources, or of one release, that contains a text or matches. */
export const searchCodeTool = agentTool({
  name: 'search_code',
  toolset: 'default',
  scope: 'read',
  title: 'Search code exactly',
  description:
    'Finds every line with a text or a match of a regex (Rust syntax), as path:line:text. ' +
    'A complete, empty result proves absence.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000),
    regex: z.boolean().default(false),
    case_sensitive: z.boolean().default(true),
    word: z.boolean().default(false),
    sources: z.array(sourceName).max(50).optional(),
    package: packageRelease,
    paths: z.array(z.string().min(1).max(256)).max(50).optional(),
    context_lines: z.int().min(0).max(10).default(0),
    limit: z.int().min(1).max(MOST_LINES).default(100),
    cursor: z.string().min(1).max(8_192).optional(),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: true,
  async run(input, { service, countTokens }) {
    const { sources = [], package: release, paths, cursor, max_tokens, ...options } = input;
    const request = {
      ...options,
      ...(paths?.length && { path_patterns: paths }),
      ...definedFields({ cursor }),
      include_stale: true,
      timeout_ms: 5_000,
    };
    const found = await searched(service, request, sources, release);
    return codeAnswer(found, max_tokens, countTokens);
  },
});

/** A code search without its scope. */
type CodeRequest = Omit<CodeSearchBody, 'source_ids'>;

/** @throws ToolProblem for both sources and a release. */
async function searched(
  service: AgentService,
  request: CodeRequest,
  sources: readonly string[],
  release: string | undefined,
): Promise<Receipted<CodeSearchResponseView>> {
  if (release !== undefined) {
    if (sources.length > 0) throw new ToolProblem('Give either sources or package.');
    return service.searchPackageCode({ ...request, ...releaseNamed(release) });
  }
  if (sources.length === 0) return service.searchCode(request);
  const named = await sourcesNamed(service, sources);
  return service.searchCode({ ...request, source_ids: named.map(({ id }) => id) });
}

/** Returns the lines of a code search as a tool shows them, within a budget. */
export function codeAnswer(
  found: Receipted<CodeSearchResponseView>,
  room: number,
  countTokens: TokenCounter,
): ToolAnswer {
  return lineAnswer(
    found,
    {
      summary: summaryOf(found.answer),
      lines: found.answer.files.flatMap(linesOf),
      remedy: 'raise max_tokens or limit paths',
      room,
      frame: FRAME,
      list: 'files',
      within: 'lines',
    },
    countTokens,
  );
}

function summaryOf(answer: CodeSearchResponseView): string {
  const { count, files, complete, documents_examined: documents, sources_searched } = answer;
  const state = complete
    ? `Complete: ${documents} documents of ${sources_searched} sources were examined.`
    : incompleteness(answer);
  return `${count} matching lines in ${files.length} files. ${state}`;
}

function linesOf({ source_name, path, version_ref, lines }: CodeFileView): string[] {
  const heading = oneLine(`# ${source_name} ${path} @${shortVersion(version_ref)}`);
  return [heading, ...lines.flatMap((line) => matchTexts(path, line))];
}
