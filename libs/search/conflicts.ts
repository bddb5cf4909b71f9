import type { Conflict, SearchResult } from '#contracts';
import { beforeFirst } from '#contracts/content/before-first';
import {
  type DescribedEndpoint,
  differencesInWords,
  endpointDifferences,
  findConflicts,
  type RankedChunk,
} from '#retrieval';
import type { Candidate, SearchIndex } from '#search-index';

import type { SearchRun } from './search-run.js';

/** Number of conflicts of one answer with reported differences; further ones are only counted. */
const MOST_EXPLAINED = 5;
/** Descriptions of one endpoint that are compared with the first. */
const MOST_COMPARED = 3;
/** Differences that a sentence names. */
const SHOWN = 5;
/** Schemas that are looked up to compare two descriptions. */
const SCHEMAS = 16;

type Described = Candidate & { readonly endpointKey: string; readonly schemaHash: string };

/** Finds endpoints that sources describe differently, and in which fields. */
export class Conflicts {
  constructor(private readonly index: SearchIndex) {}

  /**
   * Endpoints of the results that the sources of the results describe differently, whether or not
   * each one is returned.
   */
  async among(
    results: readonly SearchResult[],
    ranked: readonly RankedChunk<Candidate>[],
    run: SearchRun,
  ): Promise<Conflict[]> {
    const described = describedIn(results, ranked);
    const conflicts = findConflicts(
      described.map(({ endpointKey, schemaHash, sourceId }) => {
        return { endpointKey, schemaHash, sourceName: nameOf(sourceId, run) };
      }),
    );
    return Promise.all(
      conflicts.map(async (conflict, at) => {
        if (at >= MOST_EXPLAINED) return conflict;
        const own = described.filter(({ endpointKey }) => endpointKey === conflict.endpoint_key);
        const differences = await this.differences(own, run);
        return { ...conflict, description: [conflict.description, ...differences].join(' ') };
      }),
    );
  }

  /** A sentence for each further description that is not the first one's. */
  private async differences(described: readonly Described[], run: SearchRun): Promise<string[]> {
    const byHash = new Map(
      described.toReversed().map((candidate) => [candidate.schemaHash, candidate]),
    );
    const [first, ...others] = [...byHash.values()].sort((a, b) =>
      nameOf(a.sourceId, run) < nameOf(b.sourceId, run) ? -1 : 1,
    );
    if (!first) return [];
    const one = await this.endpoint(first, run);
    const sentences = others.slice(0, MOST_COMPARED).map(async (candidate) => {
      const other = await this.endpoint(candidate, run);
      const found = await endpointDifferences(one, other, { most: SHOWN + 1, schemas: SCHEMAS });
      return differencesInWords([one.sourceName, other.sourceName], found, SHOWN);
    });
    return (await Promise.all(sentences)).filter((sentence) => sentence !== '');
  }

  private async endpoint(
    { sourceId, path }: Described,
    run: SearchRun,
  ): Promise<DescribedEndpoint> {
    const source = run.scope.eligible.get(sourceId)?.source;
    const read = async (document: string): Promise<string | undefined> => {
      const chunks = source ? await this.index.document(source, document) : [];
      return chunks.length === 0 ? undefined : chunks.map(({ content }) => content).join('\n');
    };
    return {
      sourceName: nameOf(sourceId, run),
      text: (await read(path)) ?? '',
      schema: (name) => read(schemaPath(path, name)),
    };
  }
}

/** The document of a named schema of the specification that an operation's document is of. */
function schemaPath(path: string, name: string): string {
  const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return `${beforeFirst(path, '#')}#/components/schemas/${pointer}`;
}

function describedIn(
  results: readonly SearchResult[],
  ranked: readonly RankedChunk<Candidate>[],
): Described[] {
  const sources = new Set(results.map(({ citation }) => citation.source_id));
  const chunkIds = new Set(
    results.flatMap(({ citation }) => (citation.chunk_type === 'openapi' ? citation.chunk_id : [])),
  );
  if (chunkIds.size === 0) return [];
  const returned = new Set(
    ranked.flatMap(({ candidate }) =>
      chunkIds.has(candidate.chunkId) ? (candidate.endpointKey ?? []) : [],
    ),
  );
  if (returned.size === 0) return [];
  return ranked
    .map(({ candidate }) => candidate)
    .filter((candidate): candidate is Described => {
      const { sourceId, endpointKey, schemaHash } = candidate;
      const known = endpointKey !== undefined && schemaHash !== undefined;
      return known && sources.has(sourceId) && returned.has(endpointKey);
    });
}

function nameOf(sourceId: string, { scope }: SearchRun): string {
  return scope.eligible.get(sourceId)?.source.name ?? sourceId;
}
