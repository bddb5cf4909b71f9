import { createHash } from 'node:crypto';

import { StageFailure } from '#contracts';
import { beforeFirst } from '#contracts/content/before-first';
import { joinBytes } from '#platform';

import type {
  Fetcher,
  FetchRequest,
  KnownDocument,
  SourceDocument,
  SourceSnapshot,
} from '../fetch/fetcher.port.js';
import { SkipCounter } from '../select/skip-counter.js';
import { WebClient, type WebUnchanged } from '../web/web-client.js';
import { MemoryStore } from './memory-store.js';
import { RefusalStore } from './refusal-store.js';
import { SpecProblem, SpecTooCostly } from './spec-problem.js';
import { type SpecAnswer, type SpecBefore, SpecThread } from './spec-thread.js';

/** Largest specification, bytes: the largest public ones have 15 MB. */
const MAX_SPEC_BYTES = 48 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
const USER_AGENT = 'Footnote (documentation indexer)';
const ACCEPT = 'application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5';

export interface OpenApiFetcherOptions {
  /** Value of the `User-Agent` header. */
  readonly userAgent?: string;
}

type SpecFetchRequest = FetchRequest & Required<OpenApiFetcherOptions>;

/**
 * Reads an OpenAPI specification. Its documents are its operations, the schemas that those refer
 * to, and the specification as a whole. The whole carries the validators of the response and is
 * named by the URL alone: one operation more changes nothing of the others.
 */
export function createOpenApiFetcher({
  userAgent = USER_AGENT,
}: OpenApiFetcherOptions = {}): Fetcher {
  return {
    // Changes show in the specification alone: `info.version` often stays the same.
    resolve: (request) =>
      Promise.resolve({ ref: null, open: (known) => openSpec({ ...request, userAgent }, known) }),
  };
}

async function openSpec(
  request: SpecFetchRequest,
  known: readonly KnownDocument[],
): Promise<SourceSnapshot> {
  const { definition, directory, signal } = request;
  const url = beforeFirst(definition.url, '#');
  const label = definition.doc_version_label?.trim() ?? '';
  const whole = known.find(({ path }) => path === url);
  const before = whole && readVersion(whole.version);
  // If an unchanged or missing part is requested all the same, the specification is fetched again
  // and read whole.
  const again = once(() => readAgain(url, request));
  const store = new MemoryStore(directory);
  const thread = new LazyThread(request);
  try {
    const [answer, memory] = await Promise.all([
      get(url, request, thread, before && whole),
      before && store.read(),
    ]);
    const bodyHash = answer.kind === 'document' ? answer.bodyHash : before?.bodyHash;
    if (before && bodyHash === before.bodyHash) {
      const validators = answer.kind === 'document' ? validatorsOf(answer) : {};
      const documents = keptDocuments(url, known, validators);
      return snapshotOf(url, label || before.version, documents, again, again, signal);
    }
    const spec = await readBody(
      url,
      answer,
      request,
      thread,
      memory && { memory, known: partHashes(url, known) },
    );
    await store.write(spec.memory);
    const version =
      spec.version?.trim().replace(/\s+/g, ' ').slice(0, MAX_VERSION) ??
      (bodyHash ?? '').slice(0, 12);
    const sent = answer.kind === 'document' ? answer : {};
    const documents = documentsOf(url, spec, writeVersion(bodyHash ?? '', version), sent);
    return snapshotOf(url, label || version, documents, () => Promise.resolve(spec), again, signal);
  } finally {
    thread.close();
  }
}

/** Fetches and reads the whole specification, as if nothing of it were known. */
async function readAgain(url: string, request: SpecFetchRequest): Promise<SpecAnswer> {
  const thread = new LazyThread(request);
  try {
    return await readBody(url, await get(url, request, thread), request, thread);
  } finally {
    thread.close();
  }
}

/** A specification that was sent whole. */
interface SentSpec extends Validators {
  readonly kind: 'document';
  readonly bytes: Uint8Array;
  readonly bodyHash: string;
}

/**
 * Fetches the specification. @param known the earlier version; if it is still current, the result
 * reports so.
 */
async function get(
  url: string,
  request: SpecFetchRequest,
  thread: LazyThread,
  known?: KnownDocument,
): Promise<SentSpec | WebUnchanged> {
  const { limits, network, userAgent, signal, timeoutMs, onProgress } = request;
  const client = new WebClient({
    network,
    userAgent,
    signal,
    timeoutMs: Math.min(timeoutMs, TIMEOUT_MS),
  });
  try {
    onProgress?.(`Fetching ${url}`);
    const maxBytes = Math.min(MAX_SPEC_BYTES, limits.maxSourceBytes);
    const validators = { etag: known?.etag, last_modified: known?.last_modified };
    const answer = await client.stream(url, { maxBytes, accept: ACCEPT, ...validators });
    if (answer.kind === 'unchanged') return answer;
    // The thread starts while the specification arrives.
    thread.start();
    return { kind: 'document', ...validatorsOf(answer), ...(await hashed(answer.body)) };
  } finally {
    await client.close();
  }
}

/** Hashes while the bytes arrive: 13 MB at once would hold the event loop for 10 ms. */
async function hashed(
  body: AsyncIterable<Uint8Array>,
): Promise<Pick<SentSpec, 'bytes' | 'bodyHash'>> {
  const hash = createHash('sha256');
  const parts: Uint8Array[] = [];
  for await (const part of body) {
    hash.update(part);
    parts.push(part);
  }
  return { bytes: await joinBytes(parts), bodyHash: hash.digest('hex') };
}

async function readBody(
  url: string,
  answer: SentSpec | WebUnchanged,
  { definition, limits, recipe, directory, onProgress }: FetchRequest,
  thread: LazyThread,
  before?: SpecBefore,
): Promise<SpecAnswer> {
  if (answer.kind === 'unchanged')
    throw new Error('A specification that was not sent cannot be read');
  const { bytes, bodyHash } = answer;
  const { include_patterns: include, exclude_patterns: exclude } = definition;
  const refusals = new RefusalStore(directory, recipe);
  const refused = await refusals.problemOf(bodyHash);
  if (refused !== undefined) throw notReadable(url, refused);
  try {
    onProgress?.(`Reading ${url}`);
    const options = { include, exclude, maxParts: limits.maxSourceFiles, recipe };
    return await thread.start().read({ bytes, ...options, ...(before && { before }) });
  } catch (error) {
    if (!(error instanceof SpecProblem)) throw error;
    if (error instanceof SpecTooCostly) await refusals.write(bodyHash, error.message);
    throw notReadable(url, error.message, error);
  }
}

function notReadable(url: string, problem: string, cause?: Error): StageFailure {
  return new StageFailure(`${url} ${problem}`, false, { url, reason: 'not_readable' }, { cause });
}

/** The thread of one fetch; it starts only when there is something to read. */
class LazyThread {
  private thread: SpecThread | undefined;

  constructor(private readonly request: FetchRequest) {}

  start(): SpecThread {
    return (this.thread ??= new SpecThread(this.request.tenantId, this.request.signal));
  }

  close(): void {
    this.thread?.close();
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}

/** Longest version in characters; nobody cites longer ones. */
const MAX_VERSION = 200;

/**
 * Returns the version of the specification as a whole: the hash of its bytes and its
 * `info.version`.
 */
function writeVersion(bodyHash: string, version: string): string {
  return `${bodyHash} ${version}`;
}

function readVersion(
  text: string,
): { readonly bodyHash: string; readonly version: string } | undefined {
  const space = text.indexOf(' ');
  return space === -1
    ? undefined
    : { bodyHash: text.slice(0, space), version: text.slice(space + 1) };
}

type Validators = Pick<KnownDocument, 'etag' | 'last_modified'>;

function validatorsOf({ etag, last_modified }: Validators): Validators {
  return {
    ...(etag !== undefined && { etag }),
    ...(last_modified !== undefined && { last_modified }),
  };
}

function documentsOf(
  url: string,
  { parts }: SpecAnswer,
  version: string,
  answer: Validators,
): SourceDocument[] {
  return parts
    .map(({ pointer, hash: partHash, size }): SourceDocument => {
      if (pointer === '')
        return { path: url, kind: 'openapi', version, ...validatorsOf(answer), size };
      return { path: `${url}${pointer}`, kind: 'openapi', version: partHash, size };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Returns the documents as they were before, with the validators of a newer response where there
 * are any.
 */
function keptDocuments(
  url: string,
  known: readonly KnownDocument[],
  validators: Validators,
): SourceDocument[] {
  return known
    .filter(({ path }) => path === url || path.startsWith(`${url}#`))
    .map((document): SourceDocument => {
      const { path, version } = document;
      const own = validatorsOf(document);
      return {
        path,
        kind: 'openapi',
        version,
        size: null,
        ...own,
        ...(path === url && validators),
      };
    });
}

/** Returns hashes of the parts of the previous generation, by pointer. */
function partHashes(url: string, known: readonly KnownDocument[]): ReadonlyMap<string, string> {
  return new Map(known.map(({ path, version }) => [path.slice(url.length), version]));
}

/**
 * Returns the snapshot of a specification. @param read result of reading the specification for this
 * snapshot @param again result of reading the current specification, whole
 */
function snapshotOf(
  url: string,
  ref: string,
  documents: readonly SourceDocument[],
  read: () => Promise<SpecAnswer>,
  again: () => Promise<SpecAnswer>,
  signal: AbortSignal,
): SourceSnapshot {
  return {
    ref,
    documents,
    skipped: new SkipCounter().details(),
    async *read(asked) {
      if (asked.length === 0) return;
      const first = contentOf(await read());
      const whole = once(async () => contentOf(await again()));
      for (const { path, kind, version } of asked) {
        signal.throwIfAborted();
        const pointer = path.slice(url.length);
        const part = first.get(pointer) ?? (await whole()).get(pointer);
        // The version of the specification as a whole is not that of its part.
        if (!part || (pointer !== '' && part.hash !== version)) {
          throw new StageFailure(`${url} changed while it was read`, true, { url });
        }
        yield { path, kind, bytes: part.bytes };
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Returns the parts whose content is present, by pointer. */
function contentOf({ parts, content }: SpecAnswer) {
  return new Map(
    parts.flatMap(({ pointer, hash: partHash, offset, size }) =>
      offset === null
        ? []
        : [[pointer, { hash: partHash, bytes: content.subarray(offset, offset + size) }] as const],
    ),
  );
}
