import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

import { askOwner } from '#apps/standalone/admin/socket';
import { newApiKeySecret } from '#platform';
import { type Answer, ApiClient } from '#test/support/api-client';
import { freePort } from '#test/support/free-port';
import { ROOMY } from '#test/support/limits';
import { ServiceProcess } from '#test/support/service-process';

const OPERATION_TIMEOUT_MS = 120_000;
const RETRY_MS = 200;

/** A service that is killed and started again on the same data and port while its clients go on. */
export class SoakedService {
  kills = 0;
  lostMessages = 0;
  /** When each interruption began and ended, by `performance.now()`. */
  readonly interruptions: { readonly from: number; readonly to: number }[] = [];

  private constructor(
    private readonly dataDir: string,
    private readonly key: string,
    private readonly environment: Readonly<Record<string, string>>,
    private process: ServiceProcess,
  ) {}

  static async start(
    dataDir: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<SoakedService> {
    const key = newApiKeySecret().secret;
    const variables = { ...ROOMY, ...environment, PORT: String(await freePort()) };
    const process = await ServiceProcess.start({ dataDir, key, environment: variables });
    return new SoakedService(dataDir, key, variables, process);
  }

  get pid(): number {
    return this.process.pid;
  }

  get url(): string {
    return this.process.url;
  }

  /** The first tenant's client. */
  get first(): PatientClient {
    return new PatientClient(this.url, this.key);
  }

  async createTenant(name: string): Promise<PatientClient> {
    const { key } = (await this.operate('create-tenant', { name })) as { key: string };
    return new PatientClient(this.url, key);
  }

  operate(name: string, parameters: object = {}): Promise<unknown> {
    return askOwner(this.dataDir, name, parameters, OPERATION_TIMEOUT_MS);
  }

  /** `kill -9`, then a start; in between a share of the queue's messages is lost. */
  async crash(lostShare: number, random: () => number): Promise<void> {
    const from = performance.now();
    await this.process.kill();
    this.kills += 1;
    if (lostShare > 0) this.loseMessages(lostShare, random);
    this.process = await ServiceProcess.start({
      dataDir: this.dataDir,
      key: this.key,
      environment: this.environment,
    });
    this.interruptions.push({ from, to: performance.now() });
  }

  /** Whether something that took from one time to another met an interruption. */
  wasInterrupted(from: number, to: number): boolean {
    return this.interruptions.some((each) => each.from < to && each.to > from);
  }

  /** For how many milliseconds of a span it was away. */
  awayFor(from: number, to: number): number {
    const overlaps = this.interruptions.map(
      (each) => Math.min(to, each.to) - Math.max(from, each.from),
    );
    return overlaps.reduce((sum, overlap) => sum + Math.max(0, overlap), 0);
  }

  async dispose(): Promise<void> {
    await this.process.kill();
  }

  /**
   * As a disk that was put back from yesterday would: the queue is disposable, and the log knows
   * what is due.
   */
  private loseMessages(share: number, random: () => number): void {
    const path = join(this.dataDir, 'queue', 'queue.db');
    if (!existsSync(path)) throw new Error(`The queue is not in ${path}`);
    const database = new DatabaseSync(path);
    try {
      const rows = database.prepare('SELECT seq FROM messages').all() as { seq: number }[];
      for (const { seq } of rows.filter(() => random() < share)) {
        database.prepare('DELETE FROM messages WHERE seq = ?').run(seq);
        this.lostMessages += 1;
      }
    } finally {
      database.close();
    }
  }
}

/** A client that repeats a command, under one idempotency key, until somebody answers. */
export class PatientClient extends ApiClient {
  constructor(
    base: string,
    private readonly secret: string,
  ) {
    super(base, secret);
  }

  /** Reads a stream to its end, or until the signal aborts. */
  async stream(url: string, signal: AbortSignal): Promise<void> {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${this.secret}` },
      signal,
    });
    await response.arrayBuffer();
  }

  /**
   * @throws Error when nobody answers for so long, or the answer is a refusal that waiting does not
   * change.
   */
  async patiently<Body>(
    method: string,
    path: string,
    body?: unknown,
    patienceMs = 120_000,
  ): Promise<Body> {
    const headers = method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {};
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const answer = await this.call<Body>(method, path, body, headers).catch(
        (error: unknown) => error as Error,
      );
      if (!(answer instanceof Error) && answer.status < 300) return answer.body;
      const mayPass = answer instanceof Error || isPassing(answer);
      if (Date.now() > deadline || !mayPass)
        throw new RefusedError(`${method} ${path}: ${said(answer)}`, codeOf(answer));
      await delay(RETRY_MS);
    }
  }
}

/** A request that was rejected for good, or not answered in time. */
export class RefusedError extends Error {
  constructor(
    message: string,
    /** The code of the API's error, where there was one. */
    readonly code: string | undefined,
  ) {
    super(message);
    this.name = 'RefusedError';
  }
}

function isPassing({ status }: Answer<unknown>): boolean {
  return status === 429 || status >= 500;
}

function codeOf(answer: Answer<unknown> | Error): string | undefined {
  return answer instanceof Error
    ? undefined
    : (answer.body as { readonly code?: string } | undefined)?.code;
}

function said(answer: Answer<unknown> | Error): string {
  return answer instanceof Error
    ? String(answer)
    : `${answer.status} ${JSON.stringify(answer.body)}`;
}
