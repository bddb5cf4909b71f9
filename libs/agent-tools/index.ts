export type { AgentService, Receipted, ReplayedSearch } from './agent-service.port.js';
export { createMcpServer, type McpServerParts } from './mcp-server.js';
export { TOOLSETS, type Toolset, type TokenCounter } from './tool.types.js';
export { toolsFor } from './tools/tools.js';
