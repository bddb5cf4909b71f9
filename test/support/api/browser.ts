import type { MeView } from '#contracts/http/index';

import type { ApiAnswer, ApiHarness } from './api-harness.js';

/**
 * A person at a browser: keeps cookies, and echoes the CSRF token with whatever may change
 * something.
 */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    readonly api: ApiHarness,
    /** Sent with unsafe requests unless a call says otherwise. */
    public csrf = '',
  ) {}

  async call<Body = Record<string, unknown>>(
    method: string,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer<Body>> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { ...(cookie === '' ? {} : { cookie }), 'x-csrf-token': this.csrf, ...headers };
    const answer = await this.api.call<Body>(method, url, body, { key: null, headers: sent });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.keep(String(line));
    return answer;
  }

  /** Registers a tenant of its own. */
  register(
    email: string,
    password = PASSWORD,
    tenant_name = 'Acme',
  ): Promise<ApiAnswer<MeView & { code: string }>> {
    return this.begin('/auth/register', { email, password, tenant_name });
  }

  login(email: string, password = PASSWORD): Promise<ApiAnswer<MeView & { code: string }>> {
    return this.begin('/auth/login', { email, password });
  }

  /** Sends what answers with the signed-in person, and keeps the CSRF token. */
  async begin(url: string, body: object): Promise<ApiAnswer<MeView & { code: string }>> {
    const answer = await this.call<MeView & { code: string }>('POST', url, body);
    if (answer.status < 300) this.csrf = answer.body.csrf_token;
    return answer;
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** One that may be chosen. */
export const PASSWORD = 'correct horse battery staple';
