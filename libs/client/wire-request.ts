import type { OperationShape } from './operation.types.js';
import type { WireRequest } from './transport.js';

/** The input of any operation. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/**
 * Returns the request of an operation. One that takes an `Idempotency-Key` gets one, which all its
 * attempts share.
 */
export function wireRequest(shape: OperationShape, input: AnyInput, streams = false): WireRequest {
  const headers = definedHeaders(input.headers ?? {});
  if (shape.repeatable) headers['Idempotency-Key'] ??= crypto.randomUUID();
  return {
    method: shape.method,
    path: `${filled(shape.path, input.path ?? {})}${queryText(input.query ?? {})}`,
    headers,
    body: bodyOf(shape, input.body),
    repeatable: shape.method === 'GET' || shape.repeatable === true,
    signal: input.signal,
    streams,
  };
}

/** Returns a value as text; lists are comma-separated. @throws TypeError for an object. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError('A parameter must be a text, a number, a boolean or a list of them');
}

/** Returns the path with its parameters; slashes in a value stay slashes. */
function filled(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new TypeError(`path.${name} is missing`);
    return textOf(value).split('/').map(segment).join('/');
  });
}

/** Returns a segment that a server cannot read as a step to another folder. */
function segment(text: string): string {
  if (text === '.' || text === '..') throw new TypeError('A path parameter must not be a dot');
  return encodeURIComponent(text);
}

/** Returns the query; lists are comma-separated, as every list of the API is. */
function queryText(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, textOf(value));
  }
  return query.size > 0 ? `?${query.toString()}` : '';
}

/** Returns the body as its operation sends it; bytes are a Blob with its content type. */
function bodyOf({ body }: OperationShape, value: unknown): WireRequest['body'] {
  if (body === undefined || value === undefined) return undefined;
  if (body === 'bytes') return value as Blob;
  return body === 'json' ? JSON.stringify(value) : formOf(value as Record<string, unknown>);
}

/** Returns the fields as a form, files last: the service reads the fields before a file. */
function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    if (!(value instanceof Blob)) form.append(name, textOf(value));
  }
  for (const [name, value] of entries) {
    if (value instanceof Blob) form.append(name, value);
  }
  return form;
}

function definedHeaders(headers: Readonly<Record<string, string | undefined>>) {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) kept[name] = value;
  return kept;
}
