import { isIP } from 'node:net';
import type { Readable } from 'node:stream';

import type { Agent, request } from 'undici';

import { AddressGuard, OutboundRefusedError } from './address-guard.js';
import { HTTP_TIMEOUTS } from './http-timeouts.js';

export interface GuardedHttpOptions {
  readonly guard: AddressGuard;
  /** Ports besides 80 and 443; `'any'` if private networks are allowed. */
  readonly ports?: readonly number[] | 'any';
  /**
   * Origins that the operator configured (models, registries, GitHub): not checked by address or
   * port.
   */
  readonly trustedOrigins?: readonly string[];
}

export interface GuardedRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole exchange, including redirects; default 30,000. */
  readonly timeoutMs?: number;
  /** Maximum bytes of the body; a longer answer is an error. Default 10 MiB. 0 reads no body. */
  readonly maxBytes?: number;
  /** Maximum redirects; default 5. */
  readonly maxRedirects?: number;
  /** Rejects redirects to another origin. Default: they are followed without secrets. */
  readonly sameOrigin?: boolean;
}

export interface GuardedResponse {
  /** URL of the answer, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer whose body must still be read or discarded. */
export interface GuardedStream {
  /** URL of the answer, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body as sent: no content coding is decoded. Throws the reason of the deadline or the
   * signal.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the read and the connection. */
  discard(): void;
}

/** The answer is larger than the caller's limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

type Undici = typeof import('undici');

/** The library with the connections of one client. */
interface Connections {
  readonly agent: Agent;
  readonly request: typeof request;
}

const MAX_URL = 2_048;
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key'];

/**
 * The only HTTP client for addresses that people name. A name is resolved once, all its addresses
 * are checked, and a checked one is contacted. So neither a literal, a redirect nor a changing DNS
 * answer reaches an internal network.
 */
export class GuardedHttp {
  /** Loaded by the first request, because most starts of a service need none. */
  private connections: Promise<Connections> | undefined;
  private readonly trusted: ReadonlySet<string>;

  constructor(private readonly options: GuardedHttpOptions) {
    this.trusted = new Set((options.trustedOrigins ?? []).map((origin) => new URL(origin).origin));
  }

  /**
   * @throws OutboundRefusedError for a forbidden URL or address; BodyTooLargeError; errors of
   * undici and the resolver; the signal's reason if aborted.
   */
  async request(url: string, options: GuardedRequest = {}): Promise<GuardedResponse> {
    const answer = await this.open(url, options);
    const { maxBytes = 10 * 1024 * 1024 } = options;
    const { url: from, status, headers } = answer;
    if (maxBytes > 0)
      return { url: from, status, headers, body: await readBody(answer.body, maxBytes) };
    answer.discard();
    return { url: from, status, headers, body: new Uint8Array() };
  }

  /**
   * Sends a request, and returns the answer as soon as its headers arrive. `timeoutMs` includes the
   * body; the caller enforces `maxBytes`.
   *
   * @throws the errors of {@link request}.
   */
  async open(url: string, options: Omit<GuardedRequest, 'maxBytes'> = {}): Promise<GuardedStream> {
    const deadline = AbortSignal.timeout(options.timeoutMs ?? 30_000);
    const signal =
      options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    let headers = { 'user-agent': 'footnote', ...options.headers };
    let target = this.checkUrl(url);
    const { agent, request } = await this.connect();
    for (let hop = 0; ; hop += 1) {
      const answer = await request(target, {
        method: options.method ?? 'GET',
        headers,
        body: options.body ?? null,
        signal,
        dispatcher: agent,
        headersTimeout: HTTP_TIMEOUTS.headersMs,
        bodyTimeout: HTTP_TIMEOUTS.bodyIdleMs,
      });
      const location = redirectOf(answer.statusCode, answer.headers.location, options.method);
      if (location === undefined) {
        const { body } = answer;
        return {
          url: target.href,
          status: answer.statusCode,
          headers: flatten(answer.headers),
          body: body as AsyncIterable<Uint8Array>,
          discard: () => discard(body),
        };
      }
      discard(answer.body);
      if (hop >= (options.maxRedirects ?? 5))
        throw new OutboundRefusedError('Too many redirects', target.hostname);
      if (!URL.canParse(location, target.href))
        throw new OutboundRefusedError('A redirect leads nowhere', target.hostname);
      const next = this.checkUrl(new URL(location, target).href);
      if (target.protocol === 'https:' && next.protocol === 'http:') {
        throw new OutboundRefusedError('A redirect leads from https to http', next.hostname);
      }
      if (options.sameOrigin && next.origin !== target.origin)
        throw new OutboundRefusedError('A redirect leads to another origin', next.hostname);
      if (next.origin !== target.origin) headers = withoutSecrets(headers);
      target = next;
    }
  }

  async close(): Promise<void> {
    await (await this.connections)?.agent.destroy();
  }

  private checkUrl(text: string): URL {
    if (text.length > MAX_URL || !URL.canParse(text))
      throw new OutboundRefusedError('This is not a usable URL', '');
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new OutboundRefusedError('Only http and https are fetched', url.hostname);
    }
    if (url.username !== '' || url.password !== '') {
      throw new OutboundRefusedError('The URL carries credentials', url.hostname);
    }
    if (this.trusted.has(url.origin)) return url;
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    const ports = this.options.ports ?? [];
    if (ports !== 'any' && ![80, 443, ...ports].includes(port)) {
      throw new OutboundRefusedError(
        `Port ${port} is not fetched from; ALLOW_PRIVATE_NETWORKS allows any`,
        url.hostname,
      );
    }
    return url;
  }

  private connect(): Promise<Connections> {
    return (this.connections ??= import('undici').then((undici) => ({
      agent: this.createAgent(undici),
      request: undici.request,
    })));
  }

  private createAgent({ Agent, buildConnector }: Undici): Agent {
    const dial = buildConnector({ timeout: HTTP_TIMEOUTS.connectMs });
    return new Agent({
      pipelining: 1,
      keepAliveTimeout: 4_000,
      connect: (target, done) => {
        const host = target.hostname.replace(/^\[|\]$/g, '');
        const origin = `${target.protocol}//${target.host ?? target.hostname}`;
        if (URL.canParse(origin) && this.trusted.has(new URL(origin).origin))
          return dial(target, done);
        this.options.guard.addressOf(host).then(
          (address) =>
            dial(
              {
                ...target,
                host: address,
                hostname: address,
                servername: isIP(host) ? '' : (target.servername ?? host),
              },
              done,
            ),
          (error: unknown) => done(error as Error, null),
        );
      },
    });
  }
}

/** Follows a redirect only for requests without a body, which must not reach another host. */
function redirectOf(
  status: number,
  location: string | string[] | undefined,
  method = 'GET',
): string | undefined {
  const redirects = [301, 302, 303, 307, 308].includes(status) && method !== 'POST';
  return redirects && typeof location === 'string' ? location : undefined;
}

/** Closes the connection; undici reports that as an error of the body, which nobody awaits. */
function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw new BodyTooLargeError(`The answer is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function flatten(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function withoutSecrets<Headers extends Readonly<Record<string, string>>>(
  headers: Headers,
): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SECRET_HEADERS.includes(name.toLowerCase())),
  ) as unknown as Headers;
}
