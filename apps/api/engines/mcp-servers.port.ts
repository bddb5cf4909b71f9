import type { McpServer, ServerEventBus } from '@modelcontextprotocol/server';

/** Servers behind `/mcp` instead of those with the tools of Footnote, for tests. */
export interface McpServers {
  /** Returns a server for one exchange. */
  create(): McpServer;
  /** Changes of lists, for clients that subscribed to them. */
  readonly changes: ServerEventBus;
}
