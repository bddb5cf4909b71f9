import { StageFailure } from '#contracts';

import { StuckDocumentError } from '../thread-pool/document-watch.js';
import type { StageTasks } from '../thread-pool/stage-tasks.js';
import type { TaskOwner, ThreadPool } from '../thread-pool/thread-pool.js';

/**
 * Maximum number of documents of one stage that may block a thread. Each takes a thread for the
 * whole document limit (15 s). Eight take two minutes; a thousand would take hours of a thread that
 * others wait for. The number is chosen, not measured.
 */
export const MOST_STUCK = 8;

/** Counts the documents of one stage that a thread was caught in. */
export class StuckDocuments {
  private count = 0;

  /** @param url of the source, for the failure. */
  constructor(private readonly url: string) {}

  /** @throws StageFailure, final, for the first document beyond the most. */
  add(path: string, { limitMs }: StuckDocumentError): void {
    this.count += 1;
    if (this.count <= MOST_STUCK) return;
    const message =
      `More than ${MOST_STUCK} documents took longer than ${limitMs / 1_000} s each to read, ` +
      `${path} the last of them; leave such documents out with exclude_patterns`;
    throw new StageFailure(message, false, { url: this.url, reason: 'not_readable' });
  }
}

type PartTask = 'parse' | 'chunk';

export interface PartTurnsRequest<Name extends PartTask> {
  readonly name: Name;
  /** Reads the part; called once a turn, since a turn moves the bytes to its thread. */
  readonly read: () => Promise<Uint8Array>;
  /** Other inputs of the task. */
  readonly input: Omit<StageTasks[Name]['input'], 'bytes' | 'from' | 'stuck'>;
  /** Names the documents of a part. */
  readonly paths: (bytes: Uint8Array) => readonly string[];
  readonly stuck: Pick<StuckDocuments, 'add'>;
}

/**
 * Carries a task out over all documents of a part, in as many turns as that takes. Between two of
 * them other tenants get their turn. A document that a thread is caught in is named to the task in
 * a further try.
 * @returns the outputs in document order; one, unless documents are dear.
 */
export async function partTurns<Name extends PartTask>(
  pool: Pick<ThreadPool, 'run'>,
  { name, read, input, paths, stuck }: PartTurnsRequest<Name>,
  owner: TaskOwner,
): Promise<readonly StageTasks[Name]['output'][]> {
  const outputs: StageTasks[Name]['output'][] = [];
  const caught: number[] = [];
  let from = 0;
  for (;;) {
    try {
      const request = {
        ...input,
        bytes: await read(),
        from,
        stuck: caught,
      } as StageTasks[Name]['input'];
      const output = await pool.run(name, request, owner);
      outputs.push(output);
      if (output.next === null) return outputs;
      from = output.next;
    } catch (error) {
      if (!(error instanceof StuckDocumentError)) throw error;
      stuck.add(paths(await read())[error.document] ?? '', error);
      caught.push(error.document);
    }
  }
}
