import { LostPartError } from '../artifacts/lost-part-error.js';
import { decodeRawPart } from '../artifacts/raw-part.js';
import { decodeTextPart } from '../artifacts/text-part.js';
import type { StuckDocumentError } from '../thread-pool/document-watch.js';
import type { StageTasks } from '../thread-pool/stage-tasks.js';
import { partTurns, type StuckDocuments } from './part-turns.js';
import type { StageContext } from './stage.types.js';

/** The parts of a context that the turns over one part need. */
type TurnsContext = Pick<StageContext, 'pool' | 'parts' | 'tenantId' | 'signal' | 'job'>;
type Stuck = Pick<StuckDocuments, 'add'>;
type Chunks = readonly StageTasks['chunk']['output'][];

/** A document that a thread was caught in now, and not when the parse stage counted it. */
const LOST: Stuck = {
  add: (_path: string, error: StuckDocumentError) => {
    throw new LostPartError(error);
  },
};

/**
 * Parses a raw part.
 * @param first its bytes, if they were read already.
 * @throws LostPartError, and errors of `partTurns`.
 */
export function textsOf(
  context: TurnsContext,
  name: string,
  stuck: Stuck,
  first?: Uint8Array,
): Promise<readonly StageTasks['parse']['output'][]> {
  let unused = first;
  const read = async () => {
    const part = unused ?? (await context.parts.get(name));
    unused = undefined;
    return part;
  };
  const paths = (bytes: Uint8Array) => decodeRawPart(bytes).map(({ path }) => path);
  return partTurns(context.pool, { name: 'parse', read, input: {}, paths, stuck }, context);
}

/** Cuts a part of texts into chunks. @throws LostPartError, and errors of `partTurns`. */
export function chunksOf(context: TurnsContext, name: string, stuck: Stuck): Promise<Chunks> {
  return chunksOfTexts(context, () => context.parts.get(name), stuck);
}

/**
 * Parses a raw part and cuts it into chunks, for a stage without the results of the work ahead. The
 * counts of the parse stage are in the log already, so the texts must be the same ones.
 * @throws LostPartError if a document now blocks a thread; the sync starts again with its fetch.
 */
export async function chunksOfRaw(context: TurnsContext, name: string): Promise<Chunks> {
  const outputs: StageTasks['chunk']['output'][] = [];
  for (const { bytes } of await textsOf(context, name, LOST)) {
    const read = () => Promise.resolve(Uint8Array.from(bytes));
    outputs.push(...(await chunksOfTexts(context, read, LOST)));
  }
  return outputs;
}

function chunksOfTexts(
  context: TurnsContext,
  read: () => Promise<Uint8Array>,
  stuck: Stuck,
): Promise<Chunks> {
  const { pool, tenantId, job } = context;
  const input = { tenantId, sourceId: job.source_id };
  const paths = (bytes: Uint8Array) => decodeTextPart(bytes).map(({ path }) => path);
  return partTurns(pool, { name: 'chunk', read, input, paths, stuck }, context);
}
