import { hash } from 'node:crypto';

import { isObject, type JsonObject } from './json.js';
import { afterSpace, endOfValue, parseText, scanMembers } from './json-scan.js';
import { containersIn, pieceName } from './spec-layout.js';
import type { KnownText } from './spec-memory.js';

/** A member of an object of a specification. */
export interface SpecMember {
  readonly key: string;
  /** Members of its value, where the value is an object that is cut into pieces. */
  readonly members: readonly SpecMember[] | undefined;
  /** Value as it is written; absent where the specification is no JSON. */
  readonly text?: Pick<KnownText, 'bytes' | 'text'>;
  /** Returns the parsed value. */
  value(): unknown;
}

/** Returns the members of a parsed object. */
export function membersOfObject(object: JsonObject): readonly SpecMember[] {
  return Object.entries(object).map(([key, value]) => ({
    key,
    value: () => value,
    get members() {
      return isObject(value) ? membersOfObject(value) : undefined;
    },
  }));
}

/**
 * Returns the members of a specification in JSON. A piece with the text of the previous reading is
 * recognized by its hash and parsed only when it is read. Every other value is parsed here.
 *
 * @param known texts of the pieces of the previous reading, by name.
 * @returns undefined where the bytes are no JSON object, or an object that is cut repeats a key.
 */
export function membersOfJson(
  bytes: Uint8Array,
  known: ReadonlyMap<string, KnownText>,
): readonly SpecMember[] | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan = new Scan(text, known);
  try {
    const { members, end } = scan.object(afterSpace(text, startOf(text)), []);
    return end >= 0 && afterSpace(text, end) === text.length ? members : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Returns the index behind a byte order mark. */
function startOf(text: Buffer): number {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
}

const OPEN_OBJECT = 0x7b;

class Scan {
  constructor(
    private readonly bytes: Buffer,
    private readonly known: ReadonlyMap<string, KnownText>,
  ) {}

  /** @param path keys of the object; none for the specification itself. */
  object(
    at: number,
    path: readonly string[],
  ): { readonly members: readonly SpecMember[]; readonly end: number } {
    const members: SpecMember[] = [];
    const isContainer = containersIn(path);
    const end = scanMembers(this.bytes, at, (key, valueAt) => {
      const isObjectText = this.bytes[valueAt] === OPEN_OBJECT;
      if (isObjectText && isContainer(key)) {
        const inner = this.object(valueAt, [...path, key]);
        if (inner.end >= 0)
          members.push({ ...this.lazy(key, valueAt, inner.end), members: inner.members });
        return inner.end;
      }
      const name = isObjectText ? pieceName(path, key) : undefined;
      const member =
        (name === undefined ? undefined : this.unchanged(name, key, valueAt)) ??
        this.parsed(key, valueAt);
      if (member) members.push(member.of);
      return member?.end ?? -1;
    });
    return { members, end };
  }

  /** Returns the piece that stands here if its text is that of the previous reading. */
  private unchanged(name: string, key: string, at: number) {
    const before = this.known.get(name);
    if (!before) return undefined;
    const end = at + before.bytes;
    if (end > this.bytes.length || this.hashOf(at, end) !== before.text) return undefined;
    return { of: { ...this.lazy(key, at, end), text: before }, end };
  }

  private parsed(key: string, at: number) {
    const end = endOfValue(this.bytes, at);
    if (end < 0) return undefined;
    const value = parseText(this.bytes, at, end);
    const text = { bytes: end - at, text: this.hashOf(at, end) };
    return { of: { key, members: undefined, text, value: () => value }, end };
  }

  private lazy(key: string, at: number, end: number): SpecMember {
    let value: { readonly of: unknown } | undefined;
    const read = () => (value ??= { of: parseText(this.bytes, at, end) }).of;
    return { key, members: undefined, value: read };
  }

  private hashOf(start: number, end: number): string {
    return hash('sha256', this.bytes.subarray(start, end), 'base64url');
  }
}
