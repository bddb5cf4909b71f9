import { z } from 'zod';

import type { DefinitionsQuery } from '#contracts/http/index';

import type { AgentService } from '../agent-service.port.js';
import { sourcesNamed } from '../source-names.js';
import { ToolProblem } from '../tool-problem.js';
import { definedFields } from './defined-fields.js';
import { sourceName } from './inputs.js';

const number = z.int().min(1).max(999_999_999);

/** The fields that name a definition: by name, or by a place. */
export const navigationInput = {
  name: z.string().min(1).max(200).optional(),
  source: sourceName.optional(),
  path: z.string().min(1).max(4_096).optional(),
  line: number.optional(),
  column: number.optional(),
  limit: z.int().min(1).max(500).default(100),
  cursor: z.string().min(1).max(8_192).optional(),
};

interface NavigationWanted {
  readonly name?: string | undefined;
  readonly source?: string | undefined;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns the request of a tool's input. With a name, `source` and `path` limit the scope.
 * @throws ToolProblem for neither a name nor a whole place.
 */
export async function navigationRequest(
  service: AgentService,
  { name, source, path, line, column, limit, cursor }: NavigationWanted,
): Promise<DefinitionsQuery> {
  const [named] = source === undefined ? [] : await sourcesNamed(service, [source]);
  const page = { include_stale: true, limit, ...definedFields({ cursor }) };
  if (name !== undefined) {
    const scope = {
      source_ids: named && [named.id],
      path_patterns: path === undefined ? undefined : [path],
    };
    return { name, ...page, ...definedFields(scope) };
  }
  if (!named || path === undefined || line === undefined || column === undefined)
    throw new ToolProblem('Give name, or source, path, line and column');
  return { source_id: named.id, path, line, column, ...page };
}
