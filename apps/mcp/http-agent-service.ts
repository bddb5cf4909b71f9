import type { AgentService } from '#agent-tools';
import { ERROR_CATALOGUE, type ErrorCode, FootnoteError } from '#contracts';
import type { ErrorView } from '#contracts/http/index';
import type { ClientEnvironment } from '#platform/config/client-environment';

/** Time limit of one request: longer than the service takes for any that it answers. */
const WITHIN_MS = 60_000;

/** An answer with its headers. */
interface Answer<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

/** Returns the calls of the tools as requests of a service elsewhere. */
export function httpAgentService({ url, apiKey }: ClientEnvironment): AgentService {
  const send = async <Body>(method: string, path: string, body?: object): Promise<Answer<Body>> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
    }).catch((error: unknown) => {
      const sentence = `The service at ${url} does not answer`;
      throw new FootnoteError('engine_unavailable', sentence, { cause: error });
    });
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw problemOf(response, answer as Partial<ErrorView> | null);
    return { body: answer as Body, headers: response.headers };
  };
  const receipted = async <Body>(path: string, request: object) => {
    const { body, headers } = await send<Body>('POST', path, request);
    return { answer: body, receiptId: headers.get('x-receipt-id') };
  };
  const plain = async <Body>(method: string, path: string, body?: object): Promise<Body> =>
    (await send<Body>(method, path, body)).body;
  return {
    search: (request) => receipted('/search', request),
    searchCode: (request) => receipted('/search/code', request),
    listSources: (page) => plain('GET', `/sources${queryOf(page)}`),
    readContent: (id, wanted) => plain('GET', `/sources/${segment(id)}/content${queryOf(wanted)}`),
    listFiles: (id, wanted) => plain('GET', `/sources/${segment(id)}/tree${queryOf(wanted)}`),
    searchPackage: (request) => receipted('/packages/search', request),
    createRoverJob: (request) => plain('POST', '/rover/jobs', request),
    getRoverJob: (id) => plain('GET', `/rover/jobs/${segment(id)}`),
    cancelRoverJob: (id) => plain('DELETE', `/rover/jobs/${segment(id)}`),
    registerSource: (request) => plain('POST', '/sources', request),
    requestSync: (id) => plain('POST', `/sources/${segment(id)}/sync`),
    getJob: (id) => plain('GET', `/jobs/${segment(id)}`),
    cancelJob: (id) => plain('POST', `/jobs/${segment(id)}/cancel`),
    addPackage: (request) => plain('POST', '/packages/add', request),
    listAuditEvents: (filter) => plain('GET', `/audit/events${queryOf(filter)}`),
    getReceipt: (id) => plain('GET', `/receipts/${segment(id)}`),
    replay: async (id) => {
      const { body, headers } = await send<never>('POST', `/receipts/${segment(id)}/replay`);
      return { answer: body, matches: headers.get('x-replay-matches') === 'true' };
    },
  };
}

function segment(id: string): string {
  return encodeURIComponent(id);
}

function queryOf(fields: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `?${query.toString()}` : '';
}

function problemOf({ status, headers }: Response, body: Partial<ErrorView> | null): FootnoteError {
  const retryAfter = Number(headers.get('retry-after') ?? NaN);
  return new FootnoteError(
    isCode(body?.code) ? body.code : 'internal_error',
    body?.error ?? `The service answered with status ${status}`,
    {
      ...(body?.details && { details: body.details }),
      ...(retryAfter >= 0 && { retryAfter }),
    },
  );
}

function isCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(ERROR_CATALOGUE, code);
}
