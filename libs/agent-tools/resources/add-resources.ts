import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';

import { isFootnoteError } from '#contracts';
import { escapeInvisible } from '#retrieval';

import type { AgentService, ServiceFor } from '../agent-service.port.js';
import { decoded, FILE_TEMPLATE, RECEIPT_TEMPLATE } from '../file-uri.js';
import { type OnFailure, protocolErrors } from '../protocol-errors.js';
import { namesLike, sourcesNamed } from '../source-names.js';
import { problemText, ToolProblem } from '../tool-problem.js';

/** Longest text of a resource; the rest of a file is read by `read_file`. */
const MOST_CHARACTERS = 400_000;

/**
 * Adds the resources: files at a version and receipts. Text is escaped as in results of tools. An
 * address that names nothing, or nothing that the caller sees, is not found.
 */
export function addResources(
  server: McpServer,
  serviceFor: ServiceFor,
  onFailure: OnFailure,
): void {
  server.registerResource(
    'file',
    new ResourceTemplate(FILE_TEMPLATE, {
      list: undefined,
      complete: {
        source: (typed) =>
          protocolErrors('completion', onFailure, () => encodedNames(serviceFor(), typed)),
      },
    }),
    { title: 'File', description: 'A file of a source at a kept version', mimeType: 'text/plain' },
    ({ href: uri }, given, { mcpReq }) =>
      found(uri, onFailure, async () => {
        const service = serviceFor(mcpReq.signal);
        const source = part(given['source'], uri);
        const path = part(given['path'], uri);
        const version_ref = part(given['version'], uri);
        const [named] = await sourcesNamed(service, [source]);
        const text = await service.readText(named?.id ?? source, { path, version_ref });
        return { uri, mimeType: 'text/plain', text: cut(escapeInvisible(text)) };
      }),
  );
  server.registerResource(
    'receipt',
    new ResourceTemplate(RECEIPT_TEMPLATE, { list: undefined }),
    { title: 'Receipt', description: 'The receipt of an answer', mimeType: 'application/json' },
    ({ href: uri }, given, { mcpReq }) =>
      found(uri, onFailure, async () => {
        const receipt = await serviceFor(mcpReq.signal).getReceipt(part(given['receipt_id'], uri));
        const text = escapeInvisible(JSON.stringify(receipt, null, 1));
        return { uri, mimeType: 'application/json', text };
      }),
  );
}

interface TextResource {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/** Returns a resource; errors about what it names become the protocol's own. */
function found(uri: string, onFailure: OnFailure, read: () => Promise<TextResource>) {
  return protocolErrors('resource', onFailure, async () => {
    try {
      return { contents: [await read()] };
    } catch (error) {
      const isUnknown =
        error instanceof ToolProblem || (isFootnoteError(error) && UNKNOWN.has(error.code));
      throw isUnknown ? new ResourceNotFoundError(uri, problemText(error) ?? undefined) : error;
    }
  });
}

/** Errors about what an address names. */
const UNKNOWN: ReadonlySet<string> = new Set([
  'source_not_found',
  'content_not_found',
  'generation_dropped',
  'receipt_not_found',
  'validation_failed',
]);

function part(given: string | string[] | undefined, uri: string): string {
  const text = typeof given === 'string' ? decoded(given) : null;
  if (!text) throw new ResourceNotFoundError(uri);
  return text;
}

async function encodedNames(service: AgentService, typed: string): Promise<string[]> {
  const names = await namesLike(service, decoded(typed) ?? typed);
  return names.map((name) => encodeURIComponent(name));
}

/** Returns whole lines of a long text, and the line that continues it. */
function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const kept = text.slice(0, MOST_CHARACTERS);
  const lines = kept.slice(0, kept.lastIndexOf('\n') + 1) || kept;
  return `${lines}(cut: read_file has the lines from ${lines.split('\n').length})`;
}
