import { hash } from 'node:crypto';

import { isObject, type JsonObject, listOf } from './json.js';
import { References } from './references.js';

/** Keywords that inform people and do not affect which values are valid. */
const ANNOTATIONS = new Set(
  (
    'description summary title example examples externalDocs deprecated xml discriminator ' +
    '$comment $id $schema $anchor $defs definitions'
  ).split(' '),
);
const ONE_SCHEMA = new Set(
  (
    'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties ' +
    'additionalItems contentSchema'
  ).split(' '),
);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Lists whose order has no meaning. */
const SETS = new Set(['required', 'enum', 'type']);

/**
 * Depth to which schemas that contain themselves are distinguished. Two of them that differ only
 * deeper inside have the same hash. All others are hashed to their ends.
 */
const RECURSIVE_DEPTH = 16;

interface Node {
  /** Own keywords with a mark for each schema in them, without annotations, in one order. */
  readonly label: string;
  readonly children: readonly Node[];
  hash: string | undefined;
  /** Hash by depth, for a schema in a cycle or one that leads into a cycle. */
  depths: readonly string[] | undefined;
  /** Children without a hash yet, and those whose hash is one of a depth. */
  waiting: number;
  readonly parents: Node[];
}

/**
 * Hashes of schemas, references resolved. Schemas with equal keywords have equal hashes, whatever
 * their order, their descriptions and the names of the schemas that they refer to.
 */
export class SchemaHashes {
  private readonly nodes = new Map<JsonObject, Node>();

  constructor(private readonly references: References) {}

  of(schema: unknown): string {
    if (!isObject(schema)) return digest(schema === false ? 'false' : 'true');
    const made: Node[] = [];
    const node = this.nodeOf(schema, made);
    this.settle(made);
    return node.hash as string;
  }

  /**
   * Computes all hashes of new nodes: from the ends inwards, then round by round for nodes in
   * cycles or leading into one.
   */
  private settle(made: readonly Node[]): void {
    const ready = made.filter(({ waiting }) => waiting === 0);
    for (let node = ready.pop(); node; node = ready.pop()) {
      node.hash = digest(filled(node, (child) => child.hash as string));
      for (const parent of node.parents) if (--parent.waiting === 0) ready.push(parent);
    }
    const recursive = made.filter((node) => node.hash === undefined);
    const rounds = new Map<Node, string[]>(recursive.map((node) => [node, [digest(node.label)]]));
    for (let depth = 1; depth < RECURSIVE_DEPTH; depth++) {
      // An earlier settled node has the hash of this depth as well: the order of requests has no
      // effect.
      const above = (child: Node): string =>
        (child.depths ?? rounds.get(child))?.[depth - 1] ?? (child.hash as string);
      for (const [node, settled] of rounds) settled.push(digest(filled(node, above)));
    }
    for (const [node, settled] of rounds) {
      node.depths = settled;
      node.hash = settled.at(-1);
    }
  }

  private nodeOf(schema: JsonObject, made: Node[]): Node {
    const plain = this.plain(schema);
    const known = this.nodes.get(plain);
    if (known) return known;
    const children: Node[] = [];
    const node = {
      label: '',
      children,
      hash: undefined,
      depths: undefined,
      waiting: 0,
      parents: [] as Node[],
    };
    this.nodes.set(plain, node);
    made.push(node);
    node.label = this.labelOf(plain, (child) => {
      if (!isObject(child)) return child === false ? 'false' : 'true';
      const below = this.nodeOf(child, made);
      children.push(below);
      if (below.hash === undefined || below.depths) {
        node.waiting++;
        below.parents.push(node);
      }
      return MARK;
    });
    return node;
  }

  /**
   * Returns the schema without wrappers that have no meaning: references, and `allOf` around a
   * single schema.
   */
  private plain(schema: JsonObject): JsonObject {
    let plain = schema;
    for (let step = 0; step < 32; step++) {
      const reported = Object.keys(plain).filter((key) => !isAnnotation(key));
      const [only] = reported;
      if (reported.length !== 1) return plain;
      const all = listOf(plain['allOf']);
      const inner =
        only === '$ref' ? this.references.follow(plain) : all.length === 1 ? all[0] : undefined;
      if (!isObject(inner)) return plain;
      plain = inner;
    }
    return plain;
  }

  private labelOf(schema: JsonObject, child: (schema: unknown) => string): string {
    const parts: string[] = [];
    for (const key of Object.keys(schema).sort()) {
      const value = schema[key];
      if (isAnnotation(key) || saysNothing(key, value)) continue;
      if (key === '$ref') {
        const target = this.references.follow({ $ref: value });
        parts.push(`$ref:${target ? child(target) : 'unresolved'}`);
      } else if (ONE_SCHEMA.has(key)) parts.push(`${key}:${child(value)}`);
      else if (SCHEMA_LISTS.has(key)) parts.push(`${key}:[${listOf(value).map(child).join()}]`);
      else if (SCHEMA_MAPS.has(key) && isObject(value)) {
        const entries = Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${child(value[name])}`);
        parts.push(`${key}:{${entries.join()}}`);
      } else parts.push(`${key}:${canonicalJson(SETS.has(key) ? asSet(value) : value)}`);
    }
    return parts.join(';');
  }
}

/** Placeholder in a label for the hash of a child. */
const MARK = '\0';

function filled({ label, children }: Node, hashOf: (child: Node) => string): string {
  let next = 0;
  return label.replaceAll(MARK, () => hashOf(children[next++] as Node));
}

function isAnnotation(key: string): boolean {
  return ANNOTATIONS.has(key) || key.startsWith('x-') || key.includes(MARK);
}

/** Returns whether a keyword has the value that its absence implies. */
function saysNothing(key: string, value: unknown): boolean {
  if (value === undefined) return true;
  if (key === 'required') return !Array.isArray(value) || value.length === 0;
  if (key === 'additionalProperties' || key === 'items') {
    return value === true || (isObject(value) && Object.keys(value).length === 0);
  }
  return (
    value === false &&
    (key === 'nullable' || key === 'readOnly' || key === 'writeOnly' || key === 'uniqueItems')
  );
}

function asSet(value: unknown): unknown {
  if (!Array.isArray(value)) return [canonicalJson(value)];
  return [...new Set(value.map(canonicalJson))].sort();
}

/** Returns JSON with the keys of objects in order. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join()}}`;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}
