import type { KeyScope } from '#contracts';

import type { AgentTool, Toolset } from '../tool.types.js';
import { AUDIT_TOOLS } from './audit.tools.js';
import { findDefinitionsTool } from './find-definitions.tool.js';
import { findReferencesTool } from './find-references.tool.js';
import { listFilesTool } from './list-files.tool.js';
import { listSourcesTool } from './list-sources.tool.js';
import { MANAGE_TOOLS } from './manage.tools.js';
import { readFileTool } from './read-file.tool.js';
import { researchTool } from './research.tool.js';
import { searchTool } from './search.tool.js';
import { searchCodeTool } from './search-code.tool.js';
import { searchPackageTool } from './search-package.tool.js';

/** All tools, in the order in which clients see them. */
const AGENT_TOOLS: readonly AgentTool[] = [
  searchTool,
  searchCodeTool,
  readFileTool,
  listFilesTool,
  findDefinitionsTool,
  findReferencesTool,
  listSourcesTool,
  searchPackageTool,
  researchTool,
  ...MANAGE_TOOLS,
  ...AUDIT_TOOLS,
];

/** Returns the tools of some sets that a caller with these scopes can use. */
export function toolsFor(
  toolsets: readonly Toolset[],
  scopes: readonly KeyScope[],
): readonly AgentTool[] {
  return AGENT_TOOLS.filter(
    ({ toolset, scope }) => toolsets.includes(toolset) && scopes.includes(scope),
  );
}
