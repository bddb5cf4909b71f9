import type { Config } from '#platform';
import { AddressGuard } from '#platform/http/address-guard';
import type { GuardedHttp, GuardedStream } from '#platform/http/guarded-http';

import { ACCEPTED_CODINGS, BodyRefusedError, decodedBody } from './decode-body.js';
import { networkFailure, statusFailure } from './web-failure.js';

export interface WebClientOptions {
  readonly network: Pick<Config['network'], 'allowPrivateNetworks'>;
  /** Origins that the operator configured: not judged by address or port. */
  readonly trustedOrigins?: readonly string[];
  /** Who says to be asking. */
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Longest that one request may take, redirects and body included; default 60,000 ms. */
  readonly timeoutMs?: number;
}

export interface WebRequest {
  /** Most bytes of content, its coding undone. */
  readonly maxBytes: number;
  /** Media types that are asked for; default all. */
  readonly accept?: string;
  /** What lets the document be read, for the URL's own origin alone. */
  readonly authorization?: string | undefined;
  /** The very bytes are wanted: no coding is asked for. */
  readonly verbatim?: true;
  /** Validators of what is known: with one that still holds, the answer is `unchanged`. */
  readonly etag?: string | undefined;
  readonly last_modified?: string | undefined;
  /**
   * The address that a failure without an answer is told of, where it is not this one that a person
   * named.
   */
  readonly onBehalfOf?: string;
  /** Called once a document is being sent. */
  readonly onSent?: () => void;
}

/** What is known still holds; nothing was sent. */
export interface WebUnchanged {
  readonly kind: 'unchanged';
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

interface WebHead {
  readonly kind: 'document';
  readonly url: string;
  /** Lower case, without parameters; empty when the server did not say. */
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
/** Where documentation is commonly served besides 80 and 443. */
const ALTERNATIVE_PORTS = [3000, 8000, 8080, 8443];

/**
 * The one client for documents of the web: every address is checked, redirects too, and nothing is
 * read beyond the caps on size, on what a compressed answer may unfold to, and on time. What goes
 * wrong is thrown as a StageFailure that says whether trying again may help and, where the host
 * asks for it, when; once the signal is aborted, its reason is thrown.
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
    request.onSent?.();
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) parts.push(part);
    return { ...headOf(answer), bytes: Buffer.concat(parts) };
  }

  /** Gives a document as soon as its headers are there. */
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

  /** The HTTP library is large, and a process that reads no web need not load it. */
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

/** A validator that is too long to be kept is none. */
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
