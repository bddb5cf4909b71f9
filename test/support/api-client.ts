import { setTimeout as delay } from 'node:timers/promises';

/** An answer with its status, so that tests can expect refusals too. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface JobView {
  readonly id: string;
  readonly source_id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly stage: string;
  readonly progress_percent: number;
  readonly progress_message: string;
  readonly stage_details: Readonly<Record<string, number>>;
  readonly files_processed: number;
  readonly chunks_created: number;
  readonly chunks_updated: number;
  readonly chunks_deleted: number;
  readonly error_message: string | null;
  readonly error_details: { readonly url?: string; readonly status_code?: number } | null;
  readonly retry_count: number;
}

export interface SourceView {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly file_count: number;
  readonly chunk_count: number;
  readonly version_ref?: string;
}

export interface ResultView {
  readonly content: string;
  readonly score: number;
  readonly citation: {
    readonly chunk_id: string;
    readonly source_id: string;
    readonly path: string;
    readonly symbol?: string;
    readonly start_line: number;
    readonly end_line: number;
    readonly version_ref: string;
  };
}

export interface SearchView {
  readonly results?: readonly ResultView[];
  readonly total_results?: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

/** One tenant's view of a running service. */
export class ApiClient {
  constructor(
    private readonly base: string,
    private readonly key: string,
  ) {}

  /** The address of the service, and the headers that authenticate the tenant. */
  get connection(): {
    readonly base: string;
    readonly headers: { readonly authorization: string };
  } {
    return { base: this.base, headers: { authorization: `Bearer ${this.key}` } };
  }

  async call<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
      headers: response.headers,
    };
  }

  /** Calls and expects success. @throws Error with the answer otherwise. */
  async expect<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Body> {
    const answer = await this.call<Body>(method, path, body, headers);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Returns an answer as text. @throws Error if it is not a success. */
  async text(method: string, path: string, body: unknown): Promise<string> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        accept: 'text/plain',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  async createRepo(name: string, url: string, fields: object = {}): Promise<SourceView> {
    return this.expect<SourceView>('POST', '/sources', {
      name,
      source_type: 'repo',
      url,
      ...fields,
    });
  }

  /** Uploads a PDF. */
  async upload(
    bytes: Uint8Array,
    fileName: string,
    headers: Record<string, string> = {},
  ): Promise<Answer<SourceView & { readonly job_id: string }>> {
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(bytes)]), fileName);
    const response = await fetch(`${this.base}/sources/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      body: form,
      signal: AbortSignal.timeout(60_000),
    });
    const body = (await response.json()) as SourceView & { readonly job_id: string };
    return { status: response.status, body, headers: response.headers };
  }

  async sync(sourceId: string): Promise<string> {
    return (await this.expect<{ job_id: string }>('POST', `/sources/${sourceId}/sync`)).job_id;
  }

  async job(jobId: string): Promise<JobView> {
    return this.expect<JobView>('GET', `/jobs/${jobId}`);
  }

  /** Waits until the job has ended, however it did. */
  async finished(jobId: string, timeoutMs = 60_000): Promise<JobView> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const job = await this.job(jobId);
      if (job.status !== 'pending' && job.status !== 'running') return job;
      if (Date.now() > deadline) throw new Error(`Job ${jobId} is still at ${JSON.stringify(job)}`);
      await delay(50);
    }
  }

  /** Syncs and expects the job to complete. */
  async syncToEnd(sourceId: string, timeoutMs?: number): Promise<JobView> {
    const job = await this.finished(await this.sync(sourceId), timeoutMs);
    if (job.status !== 'completed') throw new Error(`The sync ended as ${JSON.stringify(job)}`);
    return job;
  }

  async search(query: string, fields: object = {}): Promise<SearchView> {
    return this.expect<SearchView>('POST', '/search', { query, ...fields });
  }
}
