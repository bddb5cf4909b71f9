import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Logger } from '#platform';

/** Longest path of a unix socket that every platform takes. */
const LONGEST_SOCKET_PATH = 100;
const BODY_LIMIT = 64 * 1024;

/** Named operations; each takes and gives plain JSON. */
export type AdminOperations = Readonly<
  Record<string, (parameters: Record<string, unknown>) => Promise<unknown>>
>;

/**
 * Where the owner of a data folder listens for its operator: `admin.sock` in the folder, or a short
 * stand-in for long paths.
 */
function adminSocketPath(dataDir: string): string {
  const inside = join(dataDir, 'admin.sock');
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_PATH) return inside;
  return join(
    tmpdir(),
    `footnote-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`,
  );
}

/**
 * Serves the operations on the socket. Whoever may open the socket file, the owner alone, may do
 * everything.
 */
export async function serveAdmin(
  dataDir: string,
  operations: AdminOperations,
  logger: Logger,
): Promise<{ close(): Promise<void> }> {
  const path = adminSocketPath(dataDir);
  await rm(path, { force: true });
  const server = createServer((incoming, outgoing) => {
    readBody(incoming)
      .then(async (parameters) => {
        const name = (incoming.url ?? '').slice(1);
        const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
        if (!operation) throw new Error(`There is no operation ${JSON.stringify(name)}`);
        return operation(parameters);
      })
      .then(
        (result) => outgoing.end(JSON.stringify({ result: result ?? null })),
        (error: unknown) => {
          logger.warn({ err: error, operation: incoming.url }, 'An operator command failed');
          outgoing.statusCode = 500;
          outgoing.end(
            JSON.stringify({ error: error instanceof Error ? error.message : String(error) }),
          );
        },
      );
  });
  await listen(server, path);
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(path, { force: true });
    },
  };
}

/** Nobody owns the data folder: the command opens it itself. */
export class NoOwnerError extends Error {}

/**
 * Asks the running owner of a data folder.
 * @throws NoOwnerError when nobody listens; Error with the owner's sentence when the operation
 * failed.
 */
export async function askOwner(
  dataDir: string,
  operation: string,
  parameters: object,
  timeoutMs: number,
): Promise<unknown> {
  const { status, text } = await post(
    adminSocketPath(dataDir),
    operation,
    JSON.stringify(parameters),
    timeoutMs,
  );
  const answer = JSON.parse(text) as { result?: unknown; error?: string };
  if (status !== 200) throw new Error(answer.error ?? `The service answered ${status}`);
  return answer.result;
}

function post(
  socketPath: string,
  operation: string,
  body: string,
  timeout: number,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath, method: 'POST', path: `/${operation}`, timeout },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
        );
        response.on('error', reject);
      },
    );
    call.on('timeout', () =>
      call.destroy(new Error(`The service did not finish ${operation} within ${timeout} ms`)),
    );
    call.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? new NoOwnerError() : error);
    });
    call.end(body);
  });
}

async function readBody(incoming: AsyncIterable<Buffer>): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    length += part.length;
    if (length > BODY_LIMIT) throw new Error('The request is too large');
    parts.push(part);
  }
  const parsed: unknown = length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString());
  if (typeof parsed !== 'object' || parsed === null)
    throw new Error('The request is not an object');
  return parsed as Record<string, unknown>;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const umask = process.umask(0o177);
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
    process.umask(umask);
  });
}
