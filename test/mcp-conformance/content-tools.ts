import { setTimeout as delay } from 'node:timers/promises';

import { type ContentBlock, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { AUDIO, IMAGE, text } from './samples.js';

const NOTHING = z.object({});
/** Pause between two notifications, so that they arrive as parts of a stream. */
const BETWEEN_MS = 50;
/** An argument that clients repeat in a header. */
const HEADER_ARGUMENT = { type: 'string', 'x-mcp-header': 'Region' } as const;
const MIRRORED = {
  type: 'object',
  properties: { region: HEADER_ARGUMENT },
} as const;

/** Adds the tools that return each kind of content, an error, progress and logs. */
export function addContentTools(server: McpServer): void {
  const constant = (
    name: string,
    content: ContentBlock[],
    description = 'Returns constant content',
  ) => server.registerTool(name, { description, inputSchema: NOTHING }, () => respond(content));
  constant('test_simple_text', [text('This is a simple text response for testing.')]);
  constant('test_image_content', [IMAGE]);
  constant('test_audio_content', [AUDIO]);
  constant('test_embedded_resource', [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ]);
  constant('test_multiple_content_types', [
    text('Multiple content types test:'),
    IMAGE,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    },
  ]);
  constant('test_streaming_elicitation', [text('The stream carries this result only.')]);
  server.registerTool(
    'test_error_handling',
    { description: 'Fails', inputSchema: NOTHING },
    (): never => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports progress', inputSchema: NOTHING },
    async (_input, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken: progressToken ?? 0, progress, total: 100 };
        await mcpReq.notify({ method: 'notifications/progress', params });
        await delay(BETWEEN_MS);
      }
      return respond([text(String(progressToken ?? 'no progress token'))]);
    },
  );
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs', inputSchema: NOTHING },
    async (_input, { mcpReq }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool completed']) {
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
        await delay(BETWEEN_MS);
      }
      return respond([text('Logged')]);
    },
  );
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs if the request asks for it', inputSchema: NOTHING },
    async (_input, { mcpReq }) => {
      await mcpReq.log('info', 'test_logging_tool ran');
      return respond([text('Logged')]);
    },
  );
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Has an argument that a header mirrors',
      inputSchema: fromJsonSchema<{ region?: string }>(MIRRORED),
    },
    ({ region }) => respond([text(`region=${region ?? 'none'}`)]),
  );
}

function respond(content: ContentBlock[]): { content: ContentBlock[] } {
  return { content };
}
