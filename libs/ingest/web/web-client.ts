import type { Config } from '#platform';
import { joinBytes } from '#platform/concurrency/join-bytes';
import { AddressGuard } from '#platform/http/address-guard';
import type { GuardedHttp, GuardedStream } from '#platform/http/guarded-http';

import { ACCEPTED_CODINGS, BodyRefusedError, decodedBody } from './decode-body.js';
import { networkFailure, statusFailure } from './web-failure.js';

export interface WebClientOptions {
  readonly network: Pick<Config['network'], 'allowPrivateNetworks'>;
  /** Origins that the operator configured: their address and port are not checked. */
  readonly trustedOrigins?: readonly string[];
  /** Value of the `User-Agent` header. */
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Longest time of one request, redirects and body included; default 60,000 ms. */
  readonly timeoutMs?: number;
}

export interface WebRequest {
  /** Most bytes of decoded content. */
  readonly maxBytes: number;
  /** Accepted media types; default all. */
  readonly accept?: string;
  /** Authorization of the request, sent only to the URL's own origin. */
  readonly authorization?: string | undefined;
  /** Whether the original bytes are needed: no coding is requested. */
  readonly verbatim?: true;
  /** Validators of the known version: if one is still valid, the result is `unchanged`. */
  readonly etag?: string | undefined;
  readonly last_modified?: string | undefined;
  /**
   * Address that a failure without a response names, where the user named another URL than this
   * one.
   */
  readonly onBehalfOf?: string;
}

/** The known version is still current; nothing was sent. */
export interface WebUnchanged {
  readonly kind: 'unchanged';
  /** URL of the response, after redirects. */
  readonly url: string;
}

interface WebHead {
  readonly kind: 'document';
  readonly url: string;
  /** Lower case, without parameters; empty if the server did not send it. */
  readonly mediaType: string;
  /** The `charset` that the server named. */
  readonly charset?: string;
  readonly etag?: string;
  readonly last_modified?: string;
}

export interface WebDocument extends WebHead {
  readonly bytes: Uint8Array;
}

/** A document that is still arriving; read it to its end or discard it. */
export interface WebStream extends WebHead {
  readonly body: AsyncIterable<Uint8Array>;
  discard(): void;
}

const TIMEOUT_MS = 60_000;
/** Common ports of documentation in addition to 80 and 443. */
const ALTERNATIVE_PORTS = [3000, 8000, 8080, 8443];

/**
 * The only client for documents of the web. Every address is checked, redirects too. Size,
 * expansion of a compressed response and time are bounded. A failure is a StageFailure with whether
 * a retry may help and, if the host requests it, when. Once the signal is aborted, its reason is
 * thrown.
 */
export class WebClient {
  private http: Promise<GuardedHttp> | undefined;
  private readonly timeoutMs: number;

  constructor(private readonly options: WebClientOptions) {
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /** Reads a document whole. */
  async get(url: string, request: WebRequest): Promise<WebDocument | WebUnchanged> {
    const answer = await this.stream(url, request);
    if (answer.kind === 'unchanged') return answer;
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) parts.push(part);
    return { ...headOf(answer), bytes: await joinBytes(parts) };
  }

  /** Returns a document as soon as its headers have arrived. */
  async stream(url: string, request: WebRequest): Promise<WebStream | WebUnchanged> {
    const { signal } = this.options;
    signal.throwIfAborted();
    try {
      this.http ??= this.connect();
      const http = await this.http;
      const answer = await http.open(url, {
        headers: this.headers(request),
        signal,
        timeoutMs: this.timeoutMs,
      });
      return this.accepted(url, request, answer);
    } catch (error) {
      signal.throwIfAborted();
      throw networkFailure(request.onBehalfOf ?? url, error, this.timeoutMs);
    }
  }

  async close(): Promise<void> {
    await (await this.http)?.close();
  }

  /**
   * Loads the HTTP library, which is large; a process that does not read the web need not load it.
   */
  private async connect(): Promise<GuardedHttp> {
    const { GuardedHttp: Client } = await import('#platform/http/guarded-http');
    const { network, trustedOrigins = [] } = this.options;
    const { allowPrivateNetworks } = network;
    return new Client({
      guard: new AddressGuard({ allowPrivateNetworks }),
      ports: allowPrivateNetworks ? 'any' : ALTERNATIVE_PORTS,
      trustedOrigins,
    });
  }

  private headers({
    accept = '*/*',
    authorization,
    verbatim,
    etag,
    last_modified,
  }: WebRequest): Record<string, string> {
    return {
      'user-agent': this.options.userAgent,
      accept,
      'accept-encoding': verbatim ? 'identity' : ACCEPTED_CODINGS,
      ...(authorization !== undefined && { authorization }),
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(last_modified !== undefined && { 'if-modified-since': last_modified }),
    };
  }

  private accepted(
    url: string,
    request: WebRequest,
    answer: GuardedStream,
  ): WebStream | WebUnchanged {
    const { status, headers } = answer;
    const isAsked = request.etag !== undefined || request.last_modified !== undefined;
    if (status !== 200 && status !== 203) answer.discard();
    if (status === 304 && isAsked) return { kind: 'unchanged', url: answer.url };
    if (status !== 200 && status !== 203) throw statusFailure(url, status, headers);
    const declared = Number(headers['content-length'] ?? 0);
    if (declared > request.maxBytes) {
      answer.discard();
      throw new BodyRefusedError('too_large', `is larger than ${request.maxBytes} bytes`);
    }
    return {
      kind: 'document',
      url: answer.url,
      ...contentType(headers['content-type']),
      ...validator('etag', headers['etag']),
      ...validator('last_modified', headers['last-modified']),
      body: this.content(url, answer, request.maxBytes),
      discard: () => answer.discard(),
    };
  }

  private async *content(
    url: string,
    answer: GuardedStream,
    maxBytes: number,
  ): AsyncGenerator<Uint8Array> {
    try {
      yield* decodedBody(answer.body, answer.headers['content-encoding'], maxBytes);
    } catch (error) {
      answer.discard();
      this.options.signal.throwIfAborted();
      throw networkFailure(url, error, this.timeoutMs);
    }
  }
}

function headOf({ kind, url, mediaType, charset, etag, last_modified }: WebHead): WebHead {
  return {
    kind,
    url,
    mediaType,
    ...(charset !== undefined && { charset }),
    ...(etag !== undefined && { etag }),
    ...(last_modified !== undefined && { last_modified }),
  };
}

/** Returns a validator; one that is too long to store counts as missing. */
function validator<Name extends 'etag' | 'last_modified'>(name: Name, value: string | undefined) {
  const kept = value !== undefined && value !== '' && value.length <= 512;
  return (kept ? { [name]: value } : {}) as Partial<Record<Name, string>>;
}

function contentType(header = ''): { readonly mediaType: string; readonly charset?: string } {
  const [type = ''] = header.split(';', 1);
  const charset = /;\s*charset\s*=\s*(?:"([^"]{1,40})"|([^\s;"]{1,40}))/i.exec(header);
  const label = charset?.[1] ?? charset?.[2];
  return { mediaType: type.trim().toLowerCase(), ...(label !== undefined && { charset: label }) };
}
