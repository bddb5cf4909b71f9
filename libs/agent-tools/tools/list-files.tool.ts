import { z } from 'zod';

import type { TreeEntryView } from '#contracts/http/index';

import { sourcesNamed } from '../source-names.js';
import { shortVersion } from '../text/citation-line.js';
import { fenced } from '../text/fence.js';
import { fitLines } from '../text/fit-lines.js';
import { oneLine } from '../text/one-line.js';
import { agentTool } from '../tool.types.js';
import { definedFields } from './defined-fields.js';
import { maxTokens, sourceName } from './inputs.js';

/** Tokens of the heading, the fences and the line about further entries. */
const FRAME = 80;
const PAGE = 1_000;

/** The folders and files of a source, one a line. */
export const listFilesTool = agentTool({
  name: 'list_files',
  toolset: 'default',
  scope: 'read',
  title: 'List files',
  description: 'Lists folders and files of a source; `glob` selects by whole path.',
  input: z.strictObject({
    source: sourceName,
    path: z.string().min(1).max(4_096).optional(),
    glob: z.string().min(1).max(256).optional(),
    depth: z.int().min(1).max(100).optional(),
    skip: z.int().min(0).max(999_999_999).default(0),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run({ source, max_tokens, ...wanted }, { service, countTokens }) {
    const [named] = await sourcesNamed(service, [source]);
    const page = { ...wanted, limit: PAGE };
    const tree = await service.listFiles(named?.id ?? source, definedFields(page));
    const heading = oneLine(
      `${named?.name ?? source} @${shortVersion(tree.version_ref)}: ${tree.total} entries`,
    );
    const room = max_tokens - FRAME - countTokens(heading);
    const { lines } = fitLines(tree.entries.map(entryLine), room, countTokens);
    const next = wanted.skip + lines.length;
    const shown = lines.length > 0 ? [fenced(lines.join('\n'))] : [];
    const more = next < tree.total ? [`More: list_files with skip ${next}.`] : [];
    return {
      text: [heading, ...shown, ...more].join('\n'),
      data: { ...tree },
      cut: {
        lists: ['entries'],
        continued: (shown) => ({ more: `list_files with skip ${wanted.skip + shown}` }),
      },
    };
  },
});

function entryLine({ path, kind, files, skipped }: TreeEntryView): string {
  if (kind === 'folder') return oneLine(`${path}/ (${files} files)`);
  return oneLine(skipped === null ? path : `${path} (not indexed: ${skipped})`);
}
