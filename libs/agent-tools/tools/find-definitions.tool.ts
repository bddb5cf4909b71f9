import { z } from 'zod';

import type { DefinitionsView, DefinitionView, SourceOutlineView } from '#contracts/http/index';

import type { AgentService, Receipted } from '../agent-service.port.js';
import { sourcesNamed } from '../source-names.js';
import { shortVersion } from '../text/citation-line.js';
import { fenced } from '../text/fence.js';
import { fitLines } from '../text/fit-lines.js';
import { incompleteness, lineAnswer } from '../text/line-answer.js';
import { oneLine } from '../text/one-line.js';
import { agentTool, type TokenCounter, type ToolAnswer } from '../tool.types.js';
import { ToolProblem } from '../tool-problem.js';
import { definedFields } from './defined-fields.js';
import { maxTokens, sourceName } from './inputs.js';
import { navigationInput, navigationRequest } from './navigation-input.js';

/** Tokens of the summary and the fences. */
const FRAME = 160;

/** Definitions by name, at a place, or of one file. */
export const findDefinitionsTool = agentTool({
  name: 'find_definitions',
  toolset: 'default',
  scope: 'read',
  title: 'Find definitions',
  description:
    'Finds where a name is defined, or the identifier at path:line:column. ' +
    'With source and path alone: the outline of the file.',
  input: z.strictObject({
    ...navigationInput,
    partial: z.boolean().default(false).describe('Also beginnings and humps: KC'),
    source: sourceName.optional(),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run(input, { service, countTokens }) {
    const { partial, max_tokens, ...wanted } = input;
    const { name, source, path, line } = wanted;
    if (name === undefined && line === undefined && source !== undefined && path !== undefined)
      return outline(service, { source, path }, max_tokens, countTokens);
    const request = await navigationRequest(service, wanted);
    if (!partial)
      return definitionsAnswer(await service.definitions(request), max_tokens, countTokens);
    if (name === undefined) throw new ToolProblem('partial needs a name');
    const { limit, cursor, source_ids, path_patterns } = request;
    const symbols = definedFields({ limit, cursor, source_ids, path_patterns });
    const found = await service.symbols({ query: name, include_stale: true, ...symbols, limit });
    return definitionsAnswer(found, max_tokens, countTokens);
  },
});

/** Returns definitions as a tool shows them, within a budget. */
export function definitionsAnswer(
  found: Receipted<DefinitionsView>,
  room: number,
  countTokens: TokenCounter,
): ToolAnswer {
  const { count, complete, definitions } = found.answer;
  const state = complete ? 'Complete.' : incompleteness(found.answer);
  return lineAnswer(
    found,
    {
      summary: `${count} definitions. ${state}`,
      lines: definitions.map(definitionLine),
      remedy: 'raise max_tokens',
      room,
      frame: FRAME,
      list: 'definitions',
    },
    countTokens,
  );
}

function definitionLine(definition: DefinitionView): string {
  const { kind, symbol, source_name, path, version_ref, line, start_line, end_line } = definition;
  const at = line ?? start_line;
  const range = start_line === null ? '' : ` (${start_line}-${end_line ?? start_line})`;
  const place = at === null ? path : `${path}:${at}${range}`;
  const of = definition.precision === 'name' ? '' : ` ${definition.precision}`;
  return oneLine(
    `${kind ?? 'definition'} ${symbol} ${source_name} ${place} @${shortVersion(version_ref)}${of}`,
  );
}

async function outline(
  service: AgentService,
  { source, path }: { readonly source: string; readonly path: string },
  room: number,
  countTokens: TokenCounter,
): Promise<ToolAnswer> {
  const [named] = await sourcesNamed(service, [source]);
  const found = await service.outline(named?.id ?? source, { path, skip: 0, limit: 1_000 });
  const { lines, left } = fitLines(outlineLines(found), room - FRAME, countTokens);
  const cut = left > 0 ? [`${left} more definitions; raise max_tokens.`] : [];
  const heading = oneLine(`${named?.name ?? source} ${path} @${shortVersion(found.version_ref)}`);
  const shown = lines.length > 0 ? [fenced(lines.join('\n'))] : ['No definitions.'];
  return {
    text: [heading, ...shown, ...cut].join('\n'),
    data: { ...found },
    cut: {
      lists: ['definitions', 'unplaced_names'],
      continued: () => ({ more: 'Repeat with a larger max_tokens' }),
    },
  };
}

function outlineLines({ definitions, unplaced_names }: SourceOutlineView): string[] {
  return [
    ...definitions.map(({ kind, symbol, line, start_line, end_line }) =>
      oneLine(
        `${line ?? start_line} ${kind ?? 'definition'} ${symbol} (${start_line}-${end_line})`,
      ),
    ),
    ...unplaced_names.map((name) => oneLine(`- definition ${name}`)),
  ];
}
