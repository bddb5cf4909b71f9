import { randomBytes } from 'node:crypto';

import {
  createRequestStateCodec,
  InMemoryServerEventBus,
  McpServer,
} from '@modelcontextprotocol/server';

import type { McpServers } from '#apps/api/engines/mcp-servers.port';

import { addChangeTools } from './change-tools.js';
import { addContentTools } from './content-tools.js';
import { addInputTools } from './input-tools.js';
import { addPrompts } from './prompts.js';
import { addResources } from './resources.js';
import { addStateTools } from './state-tools.js';

/**
 * Servers with the tools, prompts and resources that the conformance suite calls by their names.
 * They stand behind the route, the guard and the transport of the service.
 */
export function fixtureServers(): McpServers {
  const changes = new InMemoryServerEventBus();
  // One key for all exchanges: the state of a call comes back in the next one.
  const states = createRequestStateCodec<Readonly<Record<string, unknown>>>({
    key: randomBytes(32),
  });
  return {
    changes,
    create: () => {
      const server = new McpServer(
        { name: 'footnote-conformance', version: '1.0.0' },
        {
          capabilities: {
            tools: { listChanged: true },
            prompts: { listChanged: true },
            resources: { subscribe: true, listChanged: true },
            logging: {},
            completions: {},
          },
          requestState: { verify: (state, context) => states.verify(state, context) },
        },
      );
      addContentTools(server);
      addInputTools(server);
      addStateTools(server, states);
      addChangeTools(server, changes);
      addResources(server);
      addPrompts(server);
      return server;
    },
  };
}
