import { isObject, type JsonObject, listOf, objectOf, textOf } from './json.js';
import type { LaidOut } from './layout.js';
import { loadSpec, upgraded } from './load-spec.js';
import { operationHash } from './operation-hash.js';
import { operationsOf } from './operations.js';
import { pointerTo, References } from './references.js';
import { type RenderContext, renderOperation } from './render-operation.js';
import { renderOverview } from './render-overview.js';
import { renderSchema } from './render-schema.js';
import type { RenderedPart } from './rendered-part.js';
import { SchemaReader } from './schema-fields.js';
import { SchemaHashes } from './schema-hash.js';
import { pathSelector } from './select-paths.js';
import { NOTHING_REMEMBERED, type RememberedPart, type SpecMemory } from './spec-memory.js';
import { cutSpec, pieceOf } from './spec-pieces.js';
import { SpecProblem } from './spec-problem.js';
import { Unchanged } from './unchanged-parts.js';

export interface ReadSpecOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Most operations and schemas. */
  readonly maxParts: number;
  /**
   * Memory of the previous reading; parts without a change in their content are not laid out again.
   * Default: none.
   */
  readonly before?: SpecMemory;
}

export interface ReadSpec {
  /** `info.version`; undefined where the specification has none. */
  readonly version: string | undefined;
  /**
   * Parts that were laid out: the specification as a whole, its operations, then the schemas that
   * those leave to their own text.
   */
  readonly parts: readonly FreshPart[];
  /** Parts that are unchanged since the previous reading. */
  readonly kept: readonly RememberedPart[];
  /** Pieces of the specification, for the next reading. */
  readonly memory: Omit<SpecMemory, 'parts'>;
}

/** A part that was laid out, with the schemas that it leaves to others. */
export interface FreshPart extends RenderedPart {
  readonly piece: string;
  readonly left: LaidOut['left'];
}

/** Longest path or schema name, in characters. */
const MAX_NAME = 2_048;

/**
 * Cuts a specification into its operations, each with its input and output in words. @throws
 * SpecProblem for an invalid or unreadable specification; RangeError for a glob that cannot be
 * used.
 */
export function readSpec(
  bytes: Uint8Array,
  { include, exclude, maxParts, before = NOTHING_REMEMBERED }: ReadSpecOptions,
): ReadSpec {
  const { members, dialect, version } = loadSpec(bytes, before.texts);
  const pieces = cutSpec(members, before);
  const unchanged = new Unchanged(pieces, before);
  // Unchanged parts are remembered and not laid out again.
  const document = upgraded(pieces.only(unchanged.others()));
  if (!isObject(document['paths']) && !isObject(document['webhooks'])) {
    throw new SpecProblem('describes no operations: it has neither paths nor webhooks');
  }
  const references = new References(document);
  const schemas = new SchemaReader(references);
  const hashes = new SchemaHashes(references);
  const context: RenderContext = { document, references, schemas, bases: basesOf(document) };
  const isWanted = pathSelector(include, exclude);
  const parts = new Map<string, FreshPart>();
  const kept = new Map<string, RememberedPart>();
  const left = new Set<string>();
  const admit = (pointer: string, leaves: Iterable<string>): void => {
    if (parts.size + kept.size >= maxParts) {
      throw new SpecProblem(`has more than ${maxParts} operations and schemas (MAX_SOURCE_FILES)`);
    }
    if (pointer.length > MAX_NAME)
      throw new SpecProblem(`has a path of more than ${MAX_NAME} characters`);
    for (const one of leaves) left.add(one);
  };
  const keep = (part: RememberedPart): void => {
    admit(part.pointer, part.left);
    kept.set(part.pointer, part);
  };
  const add = (
    piece: string,
    rendered: { readonly part: RenderedPart; readonly left: LaidOut['left'] },
  ): void => {
    admit(rendered.part.pointer, rendered.left);
    parts.set(rendered.part.pointer, { ...rendered.part, piece, left: rendered.left });
  };
  for (const part of unchanged.operations()) keep(part);
  for (const operation of operationsOf(document, references)) {
    const piece = pointerTo(operation.kind, operation.path);
    if (unchanged.has(piece) || !isWanted(operation.path)) continue;
    add(piece, renderOperation(operation, operationHash(operation, hashes, references), context));
  }
  // The set grows during the iteration: a schema leaves others to their own text.
  for (const pointer of left) {
    if (parts.has(pointer) || kept.has(pointer)) continue;
    const known = unchanged.part(pointer);
    const schema = references.resolve(pointer)?.value;
    if (known) keep(known);
    else if (schema) add(pieceOf(pointer), renderSchema(pointer, schema, schemas));
  }
  const overview = renderOverview({ document, dialect, version, references });
  return {
    version,
    parts: [{ ...overview, piece: '', left: new Set() }, ...parts.values()],
    kept: [...kept.values()],
    memory: { pieces: pieces.hashes, texts: pieces.texts, swagger: pieces.swagger },
  };
}

/** Returns the prefixes of the servers for each path: `https://api.example/v2` → `/v2`. */
function basesOf(document: JsonObject): string[] {
  const bases = listOf(document['servers']).flatMap((server) => {
    const url = textOf(objectOf(server)['url']);
    const path =
      url === undefined
        ? ''
        : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/(?<!\/)\/+$/, '');
    return path.startsWith('/') && path.length <= MAX_NAME ? [path] : [];
  });
  return [...new Set(bases)].slice(0, 4);
}
