import { createHash } from 'node:crypto';

import type { ChunkMember } from '#contracts';

import type { ForwardTerms, Pack } from '../pack/read-pack.js';
import { vectorField } from './index-layout.js';
import { decodeRanking, encodeRanking, type RankingMeta } from './ranking-data.js';
import { TRIGRAMS_FIELD, trigramTerms } from './row-trigrams.js';

/** The part of a row that the server returns unchanged. */
export interface RowSource {
  readonly tenant_id: string;
  readonly source_id: string;
  readonly chunk_id: string;
  readonly path: string;
  readonly language: string;
  readonly file_key: string;
  readonly defs: readonly string[];
  /** Names of members; absent if there is none. */
  readonly members?: readonly string[];
  readonly ordinal: number;
  readonly chunk_type: string;
  readonly content_hash: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly token_count: number;
  readonly length: number;
  readonly content: string;
  readonly from_generation: number;
  readonly to_generation?: number | undefined;
}

/** A row with its id. */
export interface IdentifiedRow {
  readonly id: string;
  readonly row: object;
}

/** Converts the chunks of a pack to rows. */
export class PackRows {
  private readonly field: string;
  private forward: ForwardTerms | undefined;

  constructor(private readonly pack: Pack) {
    this.field = vectorField(pack.meta.embedder);
  }

  /** @param key of the chunk. */
  row(chunk: number, key: string, from: number, to: number | undefined): IdentifiedRow {
    const id = rowId(key, from);
    const { meta, tables } = this.pack;
    const record = this.pack.record(chunk);
    const length = tables.lengths[chunk] as number;
    const { tenant_id, source_id } = meta;
    const ranking: RankingMeta = {
      ...record,
      tenant_id,
      source_id,
      embedder: meta.embedder.id,
      length,
    };
    const { chunk_id, path, language, defs, ordinal, chunk_type, content_hash, token_count } =
      record;
    const source: RowSource = {
      tenant_id,
      source_id,
      chunk_id,
      path,
      language,
      file_key: fileKey(path, language),
      defs,
      ...(record.members && { members: namesOf(record.members) }),
      ordinal,
      chunk_type,
      content_hash,
      ...(record.start_line !== undefined && { start_line: record.start_line }),
      ...(record.end_line !== undefined && { end_line: record.end_line }),
      token_count,
      length,
      content: Buffer.from(this.pack.text(chunk)).toString(),
      from_generation: from,
      to_generation: to,
    };
    const scale = tables.scales[chunk] as number;
    const data = encodeRanking(ranking, scale, vectorOf(this.pack, chunk), this.terms(chunk));
    return { id, row: wholeRow(id, source, data, this.field) };
  }

  private *terms(chunk: number): Iterable<readonly [string, number]> {
    const { offsets, termIds, frequencies } = (this.forward ??= this.pack.forwardTerms());
    const end = offsets[chunk + 1] as number;
    for (let at = offsets[chunk] as number; at < end; at++) {
      yield [this.pack.tables.terms.at(termIds[at] as number), frequencies[at] as number];
    }
  }
}

function namesOf(members: readonly ChunkMember[]): readonly string[] {
  return [...new Set(members.map(({ name }) => name))];
}

/**
 * Returns the identity of a chunk row's content: the same for the same chunk in any pack, another
 * one if anything differs.
 */
export function chunkKey(pack: Pack, chunk: number): string {
  const { meta, tables } = pack;
  const { dimensions, id } = meta.embedder;
  const said = [
    meta.tenant_id,
    meta.source_id,
    meta.analyzer,
    id,
    dimensions,
    tables.scales[chunk],
  ];
  return createHash('sha256')
    .update(JSON.stringify([...said, pack.record(chunk)]))
    .update(vectorOf(pack, chunk))
    .digest('base64url')
    .slice(0, 32);
}

function vectorOf({ meta, vectors }: Pack, chunk: number): Int8Array {
  const { dimensions } = meta.embedder;
  return vectors.subarray(chunk * dimensions, (chunk + 1) * dimensions);
}

/**
 * Returns an indexed row with another interval.
 * @param id of the existing row.
 */
export function rowWithInterval(
  id: string,
  source: RowSource,
  ranking: Buffer,
  from: number,
  to: number | undefined,
): IdentifiedRow {
  const { meta, vector } = decodeRanking(ranking);
  const field = vectorField({ id: meta.embedder, dimensions: vector.length });
  const newId = rowId(keyOfRow(id), from);
  // Undefined fields are not written.
  const newSource = { ...source, from_generation: from, to_generation: to };
  return { id: newId, row: wholeRow(newId, newSource, ranking, field) };
}

/** Adds the fields that the server does not return. The index cannot contain an empty vector. */
function wholeRow(id: string, source: RowSource, ranking: Buffer, field: string): object {
  const data = decodeRanking(ranking);
  const { meta, scale, vector } = data;
  return {
    ...source,
    tokens: data.tokens(),
    [TRIGRAMS_FIELD]: trigramTerms({ ...meta, content: source.content }),
    ranking: ranking.toString('base64'),
    row_id: rowIdColumn(id),
    ...(scale > 0 && { [field]: Array.from(vector) }),
  };
}

/** Returns a key for path and language, on which filters decide. */
export function fileKey(path: string, language: string): string {
  return createHash('sha256').update(`${path}\n${language}`).digest('base64url').slice(0, 20);
}

/** Returns the id of a row: its content, and its first generation. */
export function rowId(key: string, from: number): string {
  return `${key}.${from}`;
}

export function keyOfRow(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

/** Returns a row's id in base64, as its column contains it and searches return it. */
export function rowIdColumn(id: string): string {
  return Buffer.from(id).toString('base64');
}

/** @param column the column's value in a search result. */
export function idOfColumn(column: string): string {
  return Buffer.from(column, 'base64').toString();
}
