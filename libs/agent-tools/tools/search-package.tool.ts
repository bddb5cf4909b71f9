import { z } from 'zod';

import { ECOSYSTEMS } from '#contracts';

import { oneLine } from '../text/one-line.js';
import { passageAnswer } from '../text/passage-answer.js';
import { agentTool } from '../tool.types.js';
import { definedFields } from './defined-fields.js';
import { maxTokens } from './inputs.js';

const MOST_PASSAGES = 12;

/** Passages of one release of a public package. */
export const searchPackageTool = agentTool({
  name: 'search_package',
  toolset: 'default',
  scope: 'read',
  title: 'Search a package',
  description:
    'Searches the source of a release of a public package; ' +
    'it is fetched and indexed first if needed.',
  input: z.strictObject({
    package: z.string().min(1).max(300).describe('Such as react or com.google.guava:guava'),
    ecosystem: z.enum(ECOSYSTEMS),
    version: z.string().min(1).max(128).optional().describe('Exact; default the latest'),
    query: z.string().min(1).max(500),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: true,
  async run({ package: name, ecosystem, version, query, max_tokens }, { service, countTokens }) {
    const request = { package_name: name, ecosystem, version, query, top_k: MOST_PASSAGES };
    const { answer, receiptId } = await service.searchPackage(definedFields(request));
    if (!('results' in answer)) {
      return {
        text: `No evidence: ${answer.message}`,
        data: { ...answer, query: undefined, receipt_id: receiptId },
      };
    }
    const release = answer.package;
    const head = oneLine(`${release.ecosystem} ${release.name} ${release.version}`);
    const tail = (answer.warnings ?? []).map(oneLine);
    if (receiptId !== null) tail.push(`Receipt ${receiptId}.`);
    const passages = answer.results;
    const { text, shown } = passageAnswer({ head, passages, tail, room: max_tokens }, countTokens);
    return {
      text,
      data: {
        ...answer,
        query: undefined,
        results: answer.results.slice(0, shown),
        receipt_id: receiptId,
      },
      cut: { lists: ['results'], continued: () => ({ more: 'Repeat with a larger max_tokens' }) },
    };
  },
});
