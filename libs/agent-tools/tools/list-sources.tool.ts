import { z } from 'zod';

import { SOURCE_STATUSES } from '#contracts';
import type { SourceView } from '#contracts/http/index';

import { shortVersion } from '../text/citation-line.js';
import { fitLines } from '../text/fit-lines.js';
import { oneLine } from '../text/one-line.js';
import { agentTool } from '../tool.types.js';
import { definedFields } from './defined-fields.js';
import { maxTokens } from './inputs.js';

/** Tokens of the heading and of the line about further sources. */
const FRAME = 40;
const PAGE = 100;

/** The sources of the tenant, one a line. */
export const listSourcesTool = agentTool({
  name: 'list_sources',
  toolset: 'default',
  scope: 'read',
  title: 'List sources',
  description: 'Lists the sources with status, size, version and age.',
  input: z.strictObject({
    status: z.enum(SOURCE_STATUSES).optional(),
    skip: z.int().min(0).max(999_999_999).default(0),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run({ max_tokens, ...page }, { service, countTokens }) {
    const filter = definedFields({ ...page, limit: PAGE });
    const { sources, total } = await service.listSources(filter);
    const { lines } = fitLines(sources.map(sourceLine), max_tokens - FRAME, countTokens);
    const next = page.skip + lines.length;
    const more = next < total ? [`More: list_sources with skip ${next}.`] : [];
    return {
      text: [`${total} sources`, ...lines, ...more].join('\n'),
      data: { sources, total },
      cut: {
        lists: ['sources'],
        continued: (shown) => ({ more: `list_sources with skip ${page.skip + shown}` }),
      },
    };
  },
});

/** Returns a source as one line. */
export function sourceLine(source: SourceView): string {
  const { name, id, source_type, status, url, file_count, chunk_count, version_ref } = source;
  const synced = source.last_sync_completed;
  const parts = [
    `${name} (${source_type}, ${status}) ${url}`,
    `${file_count} files, ${chunk_count} chunks`,
    version_ref === null ? 'never synced' : `@${shortVersion(version_ref)}`,
    synced === undefined ? '' : `synced ${synced.slice(0, 16)}Z`,
    source.last_error === null ? '' : `last error: ${source.last_error}`,
    `id ${id}`,
  ];
  return oneLine(`- ${parts.filter(Boolean).join('; ')}`);
}
