import { z } from 'zod';

import type { ReferencesView, ReferenceView } from '#contracts/http/index';

import type { Receipted } from '../agent-service.port.js';
import { shortVersion } from '../text/citation-line.js';
import { incompleteness, lineAnswer } from '../text/line-answer.js';
import { agentTool, type TokenCounter, type ToolAnswer } from '../tool.types.js';
import { maxTokens } from './inputs.js';
import { navigationInput, navigationRequest } from './navigation-input.js';

/** Tokens of the summary and the fences. */
const FRAME = 160;

/** Identifiers with a name, or with that of the identifier at a place. */
export const findReferencesTool = agentTool({
  name: 'find_references',
  toolset: 'default',
  scope: 'read',
  title: 'Find references',
  description: 'Finds uses of a name, or of the identifier at path:line:column.',
  input: z.strictObject({ ...navigationInput, max_tokens: maxTokens }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run({ max_tokens, ...wanted }, { service, countTokens }) {
    const request = await navigationRequest(service, wanted);
    const found = await service.references({ ...request, timeout_ms: 5_000 });
    return referencesAnswer(found, max_tokens, countTokens);
  },
});

/** Returns references as a tool shows them, within a budget. */
export function referencesAnswer(
  found: Receipted<ReferencesView>,
  room: number,
  countTokens: TokenCounter,
): ToolAnswer {
  const { count, references, precision } = found.answer;
  const state = found.answer.complete ? 'Complete.' : incompleteness(found.answer);
  const { precise, resolved } = precision;
  const sure = precise > 0 ? `${precise} precise, ${resolved} resolved` : `${resolved} resolved`;
  const summary = `${count} references, ${sure}. ${state}`;
  const lines = references.flatMap((reference, at) => {
    const earlier = references[at - 1];
    const isSameFile =
      earlier?.path === reference.path && earlier.source_id === reference.source_id;
    return [...(isSameFile ? [] : [headingOf(reference)]), referenceLine(reference)];
  });
  const remedy = 'raise max_tokens';
  const shown = { summary, lines, remedy, room, frame: FRAME, list: 'references' };
  return lineAnswer(found, shown, countTokens);
}

function headingOf({ source_name, path, version_ref }: ReferenceView): string {
  return `# ${source_name} ${path} @${shortVersion(version_ref)}`;
}

function referenceLine({ path, line, column, kind, precision, text }: ReferenceView): string {
  const of = [
    ...(kind === 'reference' ? [] : [kind]),
    ...(precision === 'name' ? [] : [precision]),
  ];
  return `${path}:${line}:${column}:${of.length > 0 ? ` (${of.join(', ')})` : ''} ${text.trim()}`;
}
