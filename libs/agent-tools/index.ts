export type { AgentService, ServiceFor } from './agent-service.port.js';
export { createMcpServer } from './mcp-server.js';
export { TOOLSETS, type Toolset } from './tool.types.js';
export { toolsFor } from './tools/tools.js';
