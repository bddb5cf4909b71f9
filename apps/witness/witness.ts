import {
  cosignText,
  examineCheckpoint,
  formatNoteSignature,
  type NoteKey,
  type NoteSigner,
  parseAddCheckpoint,
} from '#audit';
import { type Clock, KeyedQueue } from '#platform';

import { text, type WitnessAnswer } from './witness-answer.js';
import type { WitnessHeads } from './witness-heads.js';

export interface WitnessDependencies {
  readonly heads: WitnessHeads;
  readonly signer: NoteSigner;
  /** Keys of the logs that it cosigns. */
  readonly logs: readonly NoteKey[];
  readonly clock: Pick<Clock, 'now'>;
}

const MESSAGES = {
  400: 'The body must be a request of add-checkpoint whose old size is not above its size\n',
  403: 'The checkpoint must be signed by a known key of its log\n',
  404: 'The witness does not know this log\n',
  422: 'The proof does not show that the tree only grew\n',
};

/**
 * Cosigns checkpoints that extend what it cosigned before (C2SP `tlog-witness`). Requests run one
 * after the other, so no request decides on a head that another one replaces.
 */
export class Witness {
  private readonly turns = new KeyedQueue();

  constructor(private readonly dependencies: WitnessDependencies) {}

  /** Answers the body of a request of `add-checkpoint`. */
  addCheckpoint(body: string): Promise<WitnessAnswer> {
    return this.turns.run('heads', () => this.examine(body));
  }

  private async examine(body: string): Promise<WitnessAnswer> {
    const { heads, signer, logs, clock } = this.dependencies;
    const request = parseAddCheckpoint(body);
    if (!request) return failure(400);
    const examined = examineCheckpoint(request, logs, (origin) => heads.of(origin));
    if (examined.status === 409)
      return { status: 409, type: 'text/x.tlog.size', body: `${examined.size}\n` };
    if (examined.status !== 200) return failure(examined.status);
    const { head } = examined;
    await heads.put(head.origin, head, request.checkpoint);
    const cosignature = cosignText(
      examined.text,
      signer,
      Math.floor(clock.now().getTime() / 1_000),
    );
    return text(200, `${formatNoteSignature(cosignature)}\n`);
  }
}

function failure(status: 400 | 403 | 404 | 422): WitnessAnswer {
  return text(status, MESSAGES[status]);
}
