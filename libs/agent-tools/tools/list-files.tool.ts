import { z } from 'zod';

import { packageSourceName } from '#contracts';
import type { SourceTreeQuery, SourceTreeView, TreeEntryView } from '#contracts/http/index';

import type { AgentService } from '../agent-service.port.js';
import { shortVersion } from '../text/citation-line.js';
import { fenced } from '../text/fence.js';
import { fitLines } from '../text/fit-lines.js';
import { oneLine } from '../text/one-line.js';
import { agentTool } from '../tool.types.js';
import { definedFields } from './defined-fields.js';
import { maxTokens, sourceName } from './inputs.js';
import { packageRelease, subjectOf } from './release-input.js';

/** Tokens of the heading, the fences and the line about further entries. */
const FRAME = 80;
const PAGE = 1_000;

/** The folders and files of a source or of a release of a package, one a line. */
export const listFilesTool = agentTool({
  name: 'list_files',
  toolset: 'default',
  scope: 'read',
  title: 'List files',
  description: 'Lists folders and files of a source; `glob` selects by whole path.',
  input: z.strictObject({
    source: sourceName.optional(),
    package: packageRelease,
    path: z.string().min(1).max(4_096).optional(),
    glob: z.string().min(1).max(256).optional(),
    depth: z.int().min(1).max(100).optional(),
    skip: z.int().min(0).max(999_999_999).default(0),
    max_tokens: maxTokens,
  }),
  readOnly: true,
  idempotent: true,
  openWorld: true,
  async run(input, { service, countTokens }) {
    const { source, package: release, max_tokens, ...wanted } = input;
    const page = definedFields({ ...wanted, limit: PAGE });
    const { name, tree, warnings } = await listed(service, page, source, release);
    const heading = oneLine(`${name} @${shortVersion(tree.version_ref)}: ${tree.total} entries`);
    const tail = warnings.map(oneLine);
    const room = max_tokens - FRAME - countTokens([heading, ...tail].join('\n'));
    const { lines } = fitLines(tree.entries.map(entryLine), room, countTokens);
    const next = wanted.skip + lines.length;
    const shown = lines.length > 0 ? [fenced(lines.join('\n'))] : [];
    const more = next < tree.total ? [`More: list_files with skip ${next}.`] : [];
    return {
      text: [heading, ...shown, ...more, ...tail].join('\n'),
      data: { ...tree },
      cut: {
        lists: ['entries'],
        continued: (shown) => ({ more: `list_files with skip ${wanted.skip + shown}` }),
      },
    };
  },
});

/** The files of a source or of a release. */
interface ListedFiles {
  readonly name: string;
  readonly tree: SourceTreeView;
  /** Notices of the registry about the release. */
  readonly warnings: readonly string[];
}

/** @throws ToolProblem unless exactly one of source and release is named. */
async function listed(
  service: AgentService,
  page: SourceTreeQuery,
  source: string | undefined,
  release: string | undefined,
): Promise<ListedFiles> {
  const subject = await subjectOf(service, source, release);
  if ('id' in subject)
    return { name: subject.name, tree: await service.listFiles(subject.id, page), warnings: [] };
  const tree = await service.listPackageFiles({ ...page, ...subject });
  return { name: packageSourceName(tree.package), tree, warnings: tree.warnings };
}

function entryLine({ path, kind, files, skipped }: TreeEntryView): string {
  if (kind === 'folder') return oneLine(`${path}/ (${files} files)`);
  return oneLine(skipped === null ? path : `${path} (not indexed: ${skipped})`);
}
