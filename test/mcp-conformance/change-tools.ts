import type { McpServer, ServerEventBus } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { text } from './samples.js';

/** Adds the tools that announce changed lists to clients that subscribed. */
export function addChangeTools(server: McpServer, changes: ServerEventBus): void {
  for (const [name, kind] of [
    ['test_trigger_tool_change', 'tools_list_changed'],
    ['test_trigger_prompt_change', 'prompts_list_changed'],
  ] as const) {
    server.registerTool(
      name,
      { description: 'Announces a change', inputSchema: z.object({}) },
      () => {
        changes.publish({ kind });
        return { content: [text('Announced')] };
      },
    );
  }
}
