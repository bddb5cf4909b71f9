import { z } from 'zod';

import { sourcesNamed } from '../source-names.js';
import { shortVersion } from '../text/citation-line.js';
import { fenced } from '../text/fence.js';
import { fitLines } from '../text/fit-lines.js';
import { oneLine } from '../text/one-line.js';
import { agentTool } from '../tool.types.js';
import { definedFields } from './defined-fields.js';
import { maxTokens, sourceName } from './inputs.js';

/** Tokens of the heading, the fences and the line about further lines. */
const FRAME = 60;
const line = z.int().min(1).max(999_999_999);

/** Lines of a document as indexed. */
export const readFileTool = agentTool({
  name: 'read_file',
  toolset: 'default',
  scope: 'read',
  title: 'Read a file',
  description: 'Returns lines of a file, page or PDF of a source at its indexed version.',
  input: z.strictObject({
    source: sourceName.describe('Name, owner/repo or id'),
    path: z.string().min(1).max(4_096).describe('Path as a citation shows it'),
    symbol: z.string().min(1).max(2_048).optional().describe('Operation of an API specification'),
    start_line: line.optional(),
    end_line: line.optional(),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: false,
  async run({ source, max_tokens, ...wanted }, { service, countTokens }) {
    const [named] = await sourcesNamed(service, [source]);
    const content = await service.readContent(named?.id ?? source, definedFields(wanted));
    const { path, start_line, total_lines, version_ref, language } = content;
    const heading = oneLine(`${named?.name ?? source} ${path}`);
    const room = max_tokens - FRAME - countTokens(heading);
    const { lines, left } = fitLines(content.content.split('\n'), room, countTokens);
    const end = start_line + lines.length - 1;
    const place = `:${start_line}-${end} of ${total_lines} @${shortVersion(version_ref)}`;
    const more =
      left > 0 || end < total_lines ? [`More: read_file with start_line ${end + 1}.`] : [];
    return {
      text: [`${heading}${place}`, fenced(lines.join('\n'), language), ...more].join('\n'),
      data: { ...content },
      cut: {
        texts: ['content'],
        continued: (shown) => ({
          end_line: start_line + shown - 1,
          more: `read_file with start_line ${start_line + shown}`,
        }),
      },
    };
  },
});
