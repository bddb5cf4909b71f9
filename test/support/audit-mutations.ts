import { createHash, type Hash } from 'node:crypto';

import {
  type AuditRecord,
  canonicalJson,
  CompactRange,
  type ExportManifest,
  hashLeaf,
  leafOf,
  manifestLine,
} from '#audit';
import { seeded } from '#platform';

/** Mutations for both verifiers: `FOOTNOTE_MUTATIONS=10000 npm test -- python-verifier`. */
export const MUTATION_COUNT = Number(process.env['FOOTNOTE_MUTATIONS'] ?? 200);

/** One way to alter an export. */
export interface Mutation {
  readonly kind: string;
  /** Index of the first line that differs. */
  readonly from: number;
  /** The export from that line on. */
  readonly rest: Buffer;
}

type Random = () => number;
type Mutate = (lines: readonly string[], random: Random) => Omit<Mutation, 'kind'> | null;

/**
 * Returns mutations of an export. All but flips and cuts also repair what the manifest states of
 * the lines, as somebody would who knows the format.
 */
export function* mutations(
  lines: readonly string[],
  count: number,
  seed: number,
): Generator<Mutation> {
  const random = seeded(seed);
  const kinds = Object.entries(MUTATIONS);
  for (let made = 0; made < count;) {
    const [kind, mutate] = kinds[made % kinds.length] ?? ['flip', flip];
    const mutation = mutate(lines, random);
    if (!mutation) continue;
    made += 1;
    yield { kind, ...mutation };
  }
}

const DERIVED = ['action', 'category', 'outcome', 'targets', 'changes'] as const;
const HASHED = ['id', 'occurred_at', 'stream', 'correlation_id', 'data', 'context'] as const;

const MUTATIONS: Readonly<Record<string, Mutate>> = {
  flip,
  cut,
  drop: (lines, random) => {
    const at = recordAt(lines, random);
    return repaired(lines, lines.toSpliced(at, 1), at);
  },
  insert: (lines, random) => {
    const at = recordAt(lines, random);
    return repaired(lines, lines.toSpliced(at, 0, lines[recordAt(lines, random)] ?? ''), at);
  },
  forge: (lines, random) => {
    const at = recordAt(lines, random);
    const record = JSON.parse(lines[at] ?? '') as AuditRecord;
    return repaired(lines, lines.toSpliced(at, 0, rehashed({ ...record, id: 'forged' })), at);
  },
  swap: (lines, random) => {
    const [first, second] = [recordAt(lines, random), recordAt(lines, random)];
    if (first === second) return null;
    const swapped = lines.with(first, lines[second] ?? '').with(second, lines[first] ?? '');
    return repaired(lines, swapped, Math.min(first, second));
  },
  shorten: (lines, random) => {
    const at = recordAt(lines, random);
    return repaired(lines, [...lines.slice(0, at), lines.at(-1) ?? ''], at);
  },
  derive: (lines, random) => alter(lines, random, DERIVED, (record) => record),
  alter: (lines, random) => alter(lines, random, HASHED, (record) => record),
  rehash: (lines, random) =>
    alter(lines, random, HASHED, (record) => JSON.parse(rehashed(record)) as AuditRecord),
};

function flip(lines: readonly string[], random: Random): Omit<Mutation, 'kind'> {
  const from = Math.floor(random() * lines.length);
  const rest = Buffer.from(lines.slice(from).join(''));
  const at = Math.floor(random() * Buffer.byteLength(lines[from] ?? ''));
  rest[at] = (rest[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  return { from, rest };
}

function cut(lines: readonly string[], random: Random): Omit<Mutation, 'kind'> {
  const from = Math.floor(random() * lines.length);
  const line = Buffer.from(lines[from] ?? '');
  return { from, rest: line.subarray(0, Math.floor(random() * line.length)) };
}

function alter(
  lines: readonly string[],
  random: Random,
  members: readonly (keyof AuditRecord)[],
  repair: (record: AuditRecord) => AuditRecord,
): Omit<Mutation, 'kind'> | null {
  const at = recordAt(lines, random);
  const record = JSON.parse(lines[at] ?? '') as AuditRecord;
  const member = members[Math.floor(random() * members.length)];
  if (!member || !(member in record)) return null;
  const altered = { ...record, [member]: other(record[member]) };
  return repaired(lines, lines.with(at, `${canonicalJson(repair(altered))}\n`), at);
}

function other(value: unknown): unknown {
  if (typeof value === 'string') return `${value}x`;
  if (Array.isArray(value)) {
    return value.length > 0 ? value.slice(1) : [{ field: 'name', before: null, after: 'x' }];
  }
  return { ...(value as object | null), added: true };
}

function rehashed(record: AuditRecord): string {
  return `${canonicalJson({ ...record, hash: hashLeaf(leafOf(record)).toString('hex') })}\n`;
}

/** Index of any line but the manifest. */
function recordAt(lines: readonly string[], random: Random): number {
  return Math.floor(random() * (lines.length - 1));
}

/** Statements of the manifest on the first lines of an export, after each line. */
interface Prefix {
  readonly range: CompactRange;
  readonly content: Hash;
}

const prefixes = new WeakMap<readonly string[], readonly Prefix[]>();

function prefixesOf(lines: readonly string[]): readonly Prefix[] {
  const known = prefixes.get(lines);
  if (known) return known;
  const prefix = { range: CompactRange.empty(), content: createHash('sha256') };
  const made = lines.map((line) => {
    const before = copyOf(prefix);
    extend(prefix, line);
    return before;
  });
  prefixes.set(lines, made);
  return made;
}

function copyOf({ range, content }: Prefix): Prefix {
  return { range: CompactRange.of(range.size, range.nodes), content: content.copy() };
}

function extend({ range, content }: Prefix, line: string): void {
  const hash = line.slice(line.lastIndexOf('"hash":"') + '"hash":"'.length).slice(0, 64);
  range.append(Buffer.from(hash, 'hex'));
  content.update(line);
}

/** Makes the manifest fit the altered lines, as far as it can without the key of the log. */
function repaired(
  original: readonly string[],
  altered: readonly string[],
  from: number,
): Omit<Mutation, 'kind'> {
  const { manifest } = JSON.parse(original.at(-1) ?? '') as { manifest: ExportManifest };
  const start = prefixesOf(original)[from];
  if (!start) throw new Error(`no line ${from}`);
  const prefix = copyOf(start);
  const body = altered.slice(from, -1);
  for (const line of body) extend(prefix, line);
  const line = manifestLine({
    ...manifest,
    records: prefix.range.size,
    size: prefix.range.size,
    root: prefix.range.root().toString('hex'),
    content_sha256: prefix.content.digest('hex'),
  });
  return { from, rest: Buffer.from(`${body.join('')}${line}\n`) };
}
