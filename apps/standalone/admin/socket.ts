import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Logger } from '#platform';

import { thisOperator } from './operator/operator.js';

/** Maximum length of a unix socket path that every platform accepts. */
const MAX_SOCKET_PATH_LENGTH = 100;
const BODY_LIMIT = 64 * 1024;

/** Named operations; input and output are plain JSON. */
export type AdminOperations = Readonly<
  Record<string, (parameters: Record<string, unknown>) => Promise<unknown>>
>;

/**
 * Returns the path of the owner's socket for operators: `admin.sock` in the folder, or a short
 * substitute for long paths.
 */
function adminSocketPath(dataDir: string): string {
  const inside = join(dataDir, 'admin.sock');
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_LENGTH) return inside;
  return join(
    tmpdir(),
    `footnote-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`,
  );
}

/**
 * Serves the operations on the socket. A user that may open the socket file, which is only its
 * owner, may do everything.
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
        if (!operation) throw new Error(`Operation ${JSON.stringify(name)} not found`);
        return operation(parameters);
      })
      .then(
        (result) => outgoing.end(JSON.stringify({ result: result ?? null })),
        (error: unknown) => {
          logger.warn(
            { err: error, operation: incoming.url },
            'admin: a command failed; reporting the error to the caller',
          );
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

/** The data folder has no owner, so the command opens it itself. */
export class NoOwnerError extends Error {}

/**
 * Sends a command to the running owner of a data folder.
 * @param parameters may name the `operator`. Default: the user of this process.
 * @throws NoOwnerError if no process listens; Error with the owner's sentence if the operation
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
    JSON.stringify({ operator: thisOperator(), ...parameters }),
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
    throw new Error('The request must be an object');
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
