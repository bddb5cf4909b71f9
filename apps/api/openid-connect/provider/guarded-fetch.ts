import { AddressGuard } from '#platform';
import { GuardedHttp } from '#platform/http/guarded-http';

/**
 * Something on the way to the provider failed, or the provider failed itself: another try may
 * succeed.
 */
export class ProviderAwayError extends Error {
  override readonly name = 'ProviderAwayError';
}

export interface GuardedFetchOptions {
  /** Configured by the operator: its origin may be on a private network, whatever else may. */
  readonly issuer: string;
  readonly allowPrivateNetworks: boolean;
  /** Milliseconds for one exchange. */
  readonly timeoutMs: number;
}

interface FetchRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** Metadata, keys and tokens are a few KiB. */
const MAX_BYTES = 512 * 1024;
const MAX_TOGETHER_WAITING = 64;

/**
 * Sends requests to the provider: by the guarded client, without redirects, with bounds on time,
 * size and concurrency. Every failure on the way, and every answer of 500 and above, is a {@link
 * ProviderAwayError}.
 */
export class GuardedFetch {
  private readonly http: GuardedHttp;
  private underWay = 0;

  constructor(private readonly options: GuardedFetchOptions) {
    const { allowPrivateNetworks, issuer } = options;
    this.http = new GuardedHttp({
      guard: new AddressGuard({ allowPrivateNetworks }),
      ports: allowPrivateNetworks ? 'any' : [],
      trustedOrigins: [new URL(issuer).origin],
    });
  }

  /** The shape that `openid-client` asks by. */
  readonly fetch = async (url: string, request: FetchRequest): Promise<Response> => {
    if (this.underWay >= MAX_TOGETHER_WAITING)
      throw new ProviderAwayError('Too many requests to the provider wait');
    this.underWay += 1;
    try {
      return await this.ask(url, request);
    } finally {
      this.underWay -= 1;
    }
  };

  async close(): Promise<void> {
    await this.http.close();
  }

  private async ask(url: string, { method, headers, body }: FetchRequest): Promise<Response> {
    const answer = await this.http
      .request(url, {
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        ...(body === undefined || body === null ? {} : { body: textOf(body) }),
        timeoutMs: this.options.timeoutMs,
        maxBytes: MAX_BYTES,
        maxRedirects: 0,
      })
      .catch((error: unknown) => {
        throw new ProviderAwayError('The provider cannot be asked', { cause: error });
      });
    if (answer.status >= 500 || answer.status === 429) {
      throw new ProviderAwayError(`The provider answered with status ${answer.status}`);
    }
    return new Response(Buffer.from(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('A request to the provider has a body of another kind');
}
