/** Clients with project settings as JSON: the file, and the name of its list of servers. */
export const MCP_CLIENTS = {
  'claude-code': { file: '.mcp.json', servers: 'mcpServers' },
  cursor: { file: '.cursor/mcp.json', servers: 'mcpServers' },
  vscode: { file: '.vscode/mcp.json', servers: 'servers' },
} as const;

export type McpClientName = keyof typeof MCP_CLIENTS;
