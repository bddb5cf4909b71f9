import { isObject, listOf, objectOf, textOf, type JsonObject } from './json.js';
import { loadSpec } from './load-spec.js';
import { operationHash } from './operation-hash.js';
import { operationsOf } from './operations.js';
import { References } from './references.js';
import { renderOperation, type RenderContext } from './render-operation.js';
import { renderOverview } from './render-overview.js';
import { renderSchema } from './render-schema.js';
import type { RenderedPart } from './spec-part.js';
import { SchemaHashes } from './schema-hash.js';
import { SchemaReader } from './schema-fields.js';
import { pathSelector } from './select-paths.js';
import { SpecProblem } from './spec-problem.js';

export interface ReadSpecOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Most operations and schemas. */
  readonly maxParts: number;
}

export interface ReadSpec {
  /** `info.version`; undefined where the specification does not tell one. */
  readonly version: string | undefined;
  /** The specification as a whole, then its operations, then the schemas that those leave to their own text. */
  readonly parts: readonly RenderedPart[];
  readonly operations: number;
  /** Operations that the patterns leave out. */
  readonly unselected: number;
}

/** Longest path or schema name, in characters. */
const MAX_NAME = 2_048;

/**
 * Cuts a specification into its operations, each with what it takes and gives in words.
 * @throws SpecProblem for what is no specification or cannot be read; RangeError for a glob that cannot be used.
 */
export function readSpec(bytes: Uint8Array, { include, exclude, maxParts }: ReadSpecOptions): ReadSpec {
  const loaded = loadSpec(bytes);
  const { document, version } = loaded;
  const references = new References(document);
  const schemas = new SchemaReader(references);
  const hashes = new SchemaHashes(references);
  const context: RenderContext = { document, references, schemas, bases: basesOf(document) };
  const isWanted = pathSelector(include, exclude);
  const parts = new Map<string, RenderedPart>();
  const left = new Set<string>();
  const add = (one: { readonly part: RenderedPart; readonly left: ReadonlySet<string> }): void => {
    if (parts.size >= maxParts) {
      throw new SpecProblem(`has more than ${maxParts} operations and schemas (MAX_SOURCE_FILES)`);
    }
    if (one.part.pointer.length > MAX_NAME) throw new SpecProblem(`has a path of more than ${MAX_NAME} characters`);
    parts.set(one.part.pointer, one.part);
    for (const pointer of one.left) left.add(pointer);
  };
  let unselected = 0;
  let operations = 0;
  for (const operation of operationsOf(document, references)) {
    if (!isWanted(operation.path)) unselected++;
    else {
      operations++;
      add(renderOperation(operation, operationHash(operation, hashes, references), context));
    }
  }
  if (operations + unselected === 0 && !isObject(document['paths']) && !isObject(document['webhooks'])) {
    throw new SpecProblem('describes no operations: it has neither paths nor webhooks');
  }
  // The set grows while it is walked: a schema leaves others to their own text.
  for (const pointer of left) {
    const schema = references.resolve(pointer)?.value;
    if (schema && !parts.has(pointer)) add(renderSchema(pointer, schema, schemas));
  }
  return { version, parts: [renderOverview({ ...loaded, references }), ...parts.values()], operations, unselected };
}

/** What the servers put before each path: `https://api.example/v2` → `/v2`. */
function basesOf(document: JsonObject): string[] {
  const bases = listOf(document['servers']).flatMap((server) => {
    const url = textOf(objectOf(server)['url']);
    const path = url === undefined ? '' : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/\/+$/, '');
    return path.startsWith('/') && path.length <= MAX_NAME ? [path] : [];
  });
  return [...new Set(bases)].slice(0, 4);
}
