import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

import { IMAGE } from './samples.js';

/** Adds the resources that the suite reads, lists and subscribes to. */
export function addResources(server: McpServer): void {
  for (const [name, text] of [
    ['static-text', 'This is the content of the static text resource.'],
    ['watched-resource', 'Watched resource content'],
  ] as const) {
    const uri = `test://${name}`;
    server.registerResource(name, uri, { mimeType: 'text/plain' }, () => ({
      contents: [{ uri, mimeType: 'text/plain', text }],
    }));
  }
  const binary = 'test://static-binary';
  server.registerResource('static-binary', binary, { mimeType: IMAGE.mimeType }, () => ({
    contents: [{ uri: binary, mimeType: IMAGE.mimeType, blob: IMAGE.data }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    ({ href: uri }, { id }) => ({
      contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, data: id }) }],
    }),
  );
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}
