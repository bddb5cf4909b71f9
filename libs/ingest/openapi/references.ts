import { isObject, type JsonObject } from './json.js';
import { SpecProblem } from './spec-problem.js';

/** Most steps along references that lead to references. */
const MAX_STEPS = 32;
const NAMED_SCHEMA = /^#\/components\/schemas\/([^/]+)$/;

/** Target of a reference. */
export interface Referred {
  readonly value: JsonObject;
  /** Pointer to the target in the specification. */
  readonly pointer: string;
}

/** Follows the references of one specification. */
export class References {
  private readonly known = new Map<string, Referred | undefined>();

  constructor(private readonly document: JsonObject) {}

  /**
   * Returns the object itself, or the final target of its reference. @returns undefined if there is
   * no target: no such place, or references that lead to each other. @throws SpecProblem for a
   * reference to another document.
   */
  follow(object: JsonObject): JsonObject | undefined {
    const reference = object['$ref'];
    return typeof reference === 'string' ? this.resolve(reference)?.value : object;
  }

  /** Resolves the reference itself, as {@link follow} does. */
  resolve(reference: string): Referred | undefined {
    if (!this.known.has(reference)) this.known.set(reference, this.walk(reference));
    return this.known.get(reference);
  }

  /**
   * Returns the name of a schema to which the specification gives one: `#/components/schemas/User`
   * → `User`.
   */
  static schemaName(pointer: string): string | undefined {
    const name = NAMED_SCHEMA.exec(pointer)?.[1];
    return name === undefined ? undefined : partOf(name);
  }

  private walk(reference: string): Referred | undefined {
    let pointer = reference;
    for (let step = 0; step < MAX_STEPS; step++) {
      const value = this.at(pointer);
      if (!isObject(value)) return undefined;
      const next = value['$ref'];
      // Keywords next to a reference count too: then this place is the target.
      if (typeof next !== 'string' || Object.keys(value).length > 1) return { value, pointer };
      pointer = next;
    }
    return undefined;
  }

  private at(pointer: string): unknown {
    if (!pointer.startsWith('#')) {
      throw new SpecProblem(
        `refers to another document, ${JSON.stringify(pointer.slice(0, 200))}: only references within the ` +
          'specification (#/…) are followed; bundle it into one file',
      );
    }
    if (pointer !== '#' && !pointer.startsWith('#/')) return undefined;
    let value: unknown = this.document;
    for (const part of pointer.split('/').slice(1)) {
      const key = partOf(part);
      if (Array.isArray(value))
        value = /^\d+$/.test(key) ? (value[Number(key)] as unknown) : undefined;
      else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
      else return undefined;
    }
    return value;
  }
}

/** Returns the key for a part of a JSON pointer in a URL's fragment. */
export function partOf(part: string): string {
  let plain = part;
  try {
    plain = decodeURIComponent(part);
  } catch {
    // A literal `%`.
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the pointer to a place in a specification. */
export function pointerTo(...keys: readonly string[]): string {
  return `#/${keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}
