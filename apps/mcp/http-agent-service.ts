import type { AgentService, ServiceFor } from '#agent-tools';
import { ConnectionError, createClient, type FootnoteClient, isApiError } from '#client';
import { ERROR_CATALOGUE, FootnoteError } from '#contracts';
import type { ClientEnvironment } from '#platform/config/client-environment';

/** Time limit of one request: longer than the service takes for any that it answers. */
const WITHIN_MS = 60_000;

/** Returns the calls of the tools as requests of a service elsewhere. */
export function httpAgentService({ url, apiKey }: ClientEnvironment): ServiceFor {
  const client = createClient({ url, apiKey, timeoutMs: WITHIN_MS, retries: 1 });
  return (ended) => clientAgentService(client, ended);
}

/**
 * Returns the calls of the tools over a client.
 * @param ended closes the connections of reads, and with them their work in the service. Changes
 * are never cut off: their outcome would be unknown.
 */
export function clientAgentService(client: FootnoteClient, ended?: AbortSignal): AgentService {
  const until = ended ? { signal: ended } : {};
  return translated({
    search: (body) => receipted(client.search.post.full({ body, ...until })),
    searchCode: (body) => receipted(client.codeSearch.post.full({ body, ...until })),
    symbols: (query) => receipted(client.codeNavigation.symbols.full({ query, ...until })),
    definitions: (query) => receipted(client.codeNavigation.definitions.full({ query, ...until })),
    references: (query) => receipted(client.codeNavigation.references.full({ query, ...until })),
    outline: (source_id, query) =>
      client.sourceFiles.outline({ path: { source_id }, query, ...until }),
    listSources: (query) => client.sources.list({ query, ...until }),
    readContent: (source_id, query) =>
      client.sources.content({ path: { source_id }, query, ...until }),
    readText: async (source_id, { path, version_ref }) =>
      textOf(
        await client.sourceFiles.file({
          path: { source_id },
          query: { path, version_ref, format: 'text' },
          ...until,
        }),
      ),
    listFiles: (source_id, query) =>
      client.sourceFiles.tree({ path: { source_id }, query, ...until }),
    searchPackage: (body) => receipted(client.packages.post.full({ body, ...until })),
    searchPackageCode: (body) => receipted(client.packageCode.post.full({ body, ...until })),
    readPackageFile: async (query) => linesOf(await client.packageFiles.file({ query, ...until })),
    listPackageFiles: (query) => client.packageFiles.tree({ query, ...until }),
    createRoverJob: (body) => client.rover.create({ body }),
    getRoverJob: (rover_job_id) => client.rover.get({ path: { rover_job_id }, ...until }),
    cancelRoverJob: (rover_job_id) => client.rover.cancel({ path: { rover_job_id } }),
    registerSource: (body) => client.sources.create({ body }),
    requestSync: (source_id) => client.sources.sync({ path: { source_id } }),
    getJob: (job_id) => client.jobs.get({ path: { job_id }, ...until }),
    cancelJob: (job_id) => client.jobs.cancel({ path: { job_id } }),
    addPackage: (body) => client.packages.add({ body }),
    listAuditEvents: (query) => client.audit.list({ query, ...until }),
    getReceipt: (receipt_id) => client.receipts.get({ path: { receipt_id }, ...until }),
    replay: async (receipt_id) => {
      const { data, headers } = await client.receipts.replay.full({
        path: { receipt_id },
        ...until,
      });
      return { answer: data, matches: headers.get('x-replay-matches') === 'true' };
    },
  });
}

/** Returns the text of a file; the service answers with text alone if that is wanted. */
function textOf(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  throw new FootnoteError('internal_error', 'The service returned lines instead of the text');
}

/** Returns the lines of a file; the service answers with lines unless the text is wanted. */
function linesOf<Lines extends object>(answer: Lines | string): Lines {
  if (typeof answer !== 'string') return answer;
  throw new FootnoteError('internal_error', 'The service returned the text instead of lines');
}

async function receipted<Answer>(
  full: Promise<{ readonly data: Answer; readonly headers: Headers }>,
): Promise<{ readonly answer: Answer; readonly receiptId: string | null }> {
  const { data, headers } = await full;
  return { answer: data, receiptId: headers.get('x-receipt-id') };
}

/** Returns the calls with errors of the catalogue, as the tools expect them. */
function translated(service: AgentService): AgentService {
  const calls = Object.entries(service).map(([name, call]) => [
    name,
    (...input: readonly unknown[]) =>
      (call as (...input: readonly unknown[]) => Promise<unknown>)(...input).catch(rethrow),
  ]);
  return Object.fromEntries(calls) as AgentService;
}

function rethrow(error: unknown): never {
  if (error instanceof ConnectionError) {
    throw new FootnoteError('engine_unavailable', error.message, { cause: error });
  }
  if (!isApiError(error)) throw error;
  const { code, message, details, retryAfter } = error;
  throw new FootnoteError(Object.hasOwn(ERROR_CATALOGUE, code) ? code : 'internal_error', message, {
    ...(details.length > 0 && { details }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
