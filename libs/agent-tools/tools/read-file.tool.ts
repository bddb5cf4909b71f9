import { z } from 'zod';

import { packageSourceName } from '#contracts';
import type { PackageFileView, SourceContent, SourceContentQuery } from '#contracts/http/index';

import type { AgentService } from '../agent-service.port.js';
import type { NamedSource } from '../source-names.js';
import { shortVersion } from '../text/citation-line.js';
import { fenced } from '../text/fence.js';
import { fitLines } from '../text/fit-lines.js';
import { oneLine } from '../text/one-line.js';
import { agentTool } from '../tool.types.js';
import { ToolProblem } from '../tool-problem.js';
import { definedFields } from './defined-fields.js';
import { maxTokens, sourceName } from './inputs.js';
import { packageRelease, type RequestedRelease, subjectOf } from './release-input.js';

/** Tokens of the heading, the fences and the line about further lines. */
const FRAME = 60;
const line = z.int().min(1).max(999_999_999);

/** Lines of a document of a source, or of a file of a release, as indexed. */
export const readFileTool = agentTool({
  name: 'read_file',
  toolset: 'default',
  scope: 'read',
  title: 'Read a file',
  description: 'Returns lines of a file, page or PDF of a source at its indexed version.',
  input: z.strictObject({
    source: sourceName.describe('Name, owner/repo or id').optional(),
    package: packageRelease,
    path: z.string().min(1).max(4_096).describe('Path as a citation shows it'),
    symbol: z.string().min(1).max(2_048).optional().describe('Operation of an API specification'),
    start_line: line.optional(),
    end_line: line.optional(),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: true,
  async run({ source, package: release, max_tokens, ...wanted }, { service, countTokens }) {
    const subject = await subjectOf(service, source, release);
    const { name, content } =
      'id' in subject
        ? await documentOf(service, subject, definedFields(wanted))
        : await releaseFile(service, subject, definedFields(wanted));
    const { path, start_line, total_lines, version_ref, language } = content;
    const heading = oneLine(`${name} ${path}`);
    const tail = (content.warnings ?? []).map(oneLine);
    const room = max_tokens - FRAME - countTokens([heading, ...tail].join('\n'));
    const { lines, left } = fitLines(content.content.split('\n'), room, countTokens);
    const end = start_line + lines.length - 1;
    const place = `:${start_line}-${end} of ${total_lines} @${shortVersion(version_ref)}`;
    const more =
      left > 0 || end < total_lines ? [`More: read_file with start_line ${end + 1}.`] : [];
    return {
      text: [`${heading}${place}`, fenced(lines.join('\n'), language), ...more, ...tail].join('\n'),
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

/** Lines of a document, and the name of its source or release. */
interface ReadLines {
  readonly name: string;
  /** `warnings` are notices of the registry about the release. */
  readonly content: SourceContent & Partial<Pick<PackageFileView, 'package' | 'warnings'>>;
}

async function documentOf(
  service: AgentService,
  { id, name }: NamedSource,
  wanted: SourceContentQuery,
): Promise<ReadLines> {
  return { name, content: await service.readContent(id, wanted) };
}

/** @throws ToolProblem for a symbol: releases have no specifications. */
async function releaseFile(
  service: AgentService,
  release: RequestedRelease,
  { path, symbol, start_line, end_line }: SourceContentQuery,
): Promise<ReadLines> {
  if (symbol !== undefined) throw new ToolProblem('symbol needs source, not package.');
  const range = definedFields({ from_line: start_line, to_line: end_line });
  const file = await service.readPackageFile({ ...release, path, format: 'json', ...range });
  const { from_line, to_line, lines, language, ...others } = file;
  const content = {
    source_id: others.source_id,
    path,
    version_ref: others.version_ref,
    language: language ?? '',
    start_line: from_line,
    end_line: to_line,
    total_lines: others.total_lines,
    content: lines.join('\n'),
    package: others.package,
    warnings: others.warnings,
  };
  return { name: packageSourceName(file.package), content };
}
