import type { Actor } from '#contracts';

import { canonicalJson, jsonSha256 } from '../canonical-json.js';
import { leafHash } from '../tree/hashing.js';

/** Largest leaf, in bytes: an entry of `tlog-tiles` has a length of 16 bits. */
export const MAX_LEAF_BYTES = 65_535;
/** Largest text within a leaf, in bytes of canonical JSON; a leaf has at most nine. */
const MAX_LEAF_TEXT_BYTES = 4_096;
/** The hash before the first leaf. */
export const NO_LEAF = '0'.repeat(64);

/**
 * The content that a leaf of the tree binds: the event as it is stored, never upcast. It has
 * neither position nor recorded time, which the store assigns, so that it is the same in every
 * store.
 */
export interface Leaf {
  /** Place among the events of the tenant, from 0. */
  readonly seq: number;
  /** Hash of the leaf before, hex; 64 zeros before the first. */
  readonly prev_hash: string;
  readonly id: string;
  readonly type: string;
  /** Version of the schema that the data was written by. */
  readonly schema_version: number;
  readonly stream: string;
  readonly revision: number;
  readonly occurred_at: string;
  readonly actor: Actor;
  readonly correlation_id: string;
  readonly causation_id: string;
  /** SHA-256 of the canonical JSON of the audited data, hex. */
  readonly data_sha256: string;
  /** SHA-256 of the canonical JSON of the HTTP context, hex; of `null` for background work. */
  readonly context_sha256: string;
}

/**
 * Returns the content of a leaf: canonical JSON of at most {@link MAX_LEAF_BYTES} bytes. A text
 * above {@link MAX_LEAF_TEXT_BYTES} is there as its digest.
 */
export function leafContent(leaf: Leaf): string {
  // Written member by member, in canonical order: a verifier spends much of its time here.
  return (
    `{"actor":${canonicalJson(boundActor(leaf.actor))},"causation_id":${text(leaf.causation_id)}` +
    `,"context_sha256":${text(leaf.context_sha256)},"correlation_id":${text(leaf.correlation_id)}` +
    `,"data_sha256":${text(leaf.data_sha256)},"id":${text(leaf.id)}` +
    `,"occurred_at":${text(leaf.occurred_at)},"prev_hash":${text(leaf.prev_hash)}` +
    `,"revision":${leaf.revision},"schema_version":${leaf.schema_version},"seq":${leaf.seq}` +
    `,"stream":${text(leaf.stream)},"type":${text(leaf.type)}}`
  );
}

function text(value: string): string {
  const short = bounded(value);
  return short.isWellFormed() ? JSON.stringify(short) : canonicalJson(short);
}

/** Returns the hash of a leaf in the tree. */
export function hashLeaf(leaf: Leaf): Buffer {
  return leafHash(leafContent(leaf));
}

/**
 * Names of people are opened when a record is read and gone after an erasure, so they are never
 * hashed. The name of any other actor is stored in the clear, and is.
 */
function boundActor({ type, id, name }: Actor): Actor {
  const actor = { type, id: bounded(id) };
  return type === 'user' || name === undefined ? actor : { ...actor, name: bounded(name) };
}

function bounded(text: string): string {
  // JSON writes a code unit in six bytes at most.
  if (text.length * 6 + 2 <= MAX_LEAF_TEXT_BYTES) return text;
  if (Buffer.byteLength(canonicalJson(text)) <= MAX_LEAF_TEXT_BYTES) return text;
  return `sha256:${jsonSha256(text)}`;
}
