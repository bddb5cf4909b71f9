import { NO_ROVER_USAGE } from '#contracts';
import { roverPlaces } from '#domain';
import { type KeyRing, sealParts, sleep } from '#platform';

import type { RoverLease } from './rover-lease.js';
import type { FinishedScript } from './rover-script.js';
import type { StepOutputs } from './step-outputs.js';
import { type StepAttempt, stepIdOf, type StepRunner } from './step-runner.js';

/** Bytes of UTF-8 in one part of the tokens. */
const TOKEN_BYTES = 5_500;
/** Parts of the tokens in one append, and the pause between two appends, milliseconds. */
const PARTS_AT_ONCE = 2;
const PAUSE_MS = 1_000;
/** Bytes of one sealed part. */
const PART_BYTES = 8_000;

export interface ResultWriterDependencies {
  readonly lease: Pick<RoverLease, 'job' | 'write' | 'writeDerived'>;
  readonly steps: Pick<StepRunner, 'start' | 'now'>;
  readonly outputs: Pick<StepOutputs, 'put'>;
  readonly keyRing: KeyRing;
  readonly tenantId: string;
  readonly signal: AbortSignal;
  /** Waits for some milliseconds, at most until the signal aborts. Default: a timer. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Stores the answer in parts for readers of the stream, at most two in a second. Then it stores the
 * end of the job with the whole result in one append. A worker that continues stores only the parts
 * that are missing.
 */
export class ResultWriter {
  constructor(private readonly dependencies: ResultWriterDependencies) {}

  /** @throws RoverLeaseLost; the reason of the signal. */
  async write({ place, result }: FinishedScript): Promise<void> {
    const { lease, steps, outputs } = this.dependencies;
    const stepId = stepIdOf(lease.job.rover_job_id, place);
    const attempt = await steps.start(stepId, place);
    await this.writeTokens(partsOf(result.answer), attempt);
    const answer = await this.sealed(
      roverPlaces.answer(lease.job.rover_job_id),
      JSON.stringify(result),
    );
    const completed_at = steps.now();
    const citations = result.citations.length;
    await lease.write({
      type: 'CompleteRoverJob',
      data: {
        step: {
          step_id: stepId,
          attempt: attempt.attempt,
          outcome: 'completed',
          output: await outputs.put(stepId, { citations }),
          details: { citations },
          usage: NO_ROVER_USAGE,
          completed_at,
        },
        answer,
        completed_at,
      },
    });
  }

  private async writeTokens(
    parts: readonly string[],
    { stepId: step_id, attempt }: StepAttempt,
  ): Promise<void> {
    const { lease, signal, pause = sleep } = this.dependencies;
    const { rover_job_id: id, token_parts: stored } = lease.job;
    for (let from = stored; from < parts.length; from += PARTS_AT_ONCE) {
      if (from > stored) await pause(PAUSE_MS, signal);
      signal.throwIfAborted();
      const commands = await Promise.all(
        parts.slice(from, from + PARTS_AT_ONCE).map(async (text, at) => {
          const part = from + at;
          const [sealed = ''] = await this.sealed(roverPlaces.token(id, part), text);
          return { type: 'WriteRoverTokens', data: { step_id, attempt, part, sealed } } as const;
        }),
      );
      await lease.writeDerived(`tokens ${from}`, ...commands);
    }
  }

  private sealed(boundTo: string, text: string): Promise<readonly string[]> {
    const { keyRing, tenantId } = this.dependencies;
    return sealParts(keyRing, { tenantId, boundTo }, text, [PART_BYTES, PART_BYTES]);
  }
}

/** Cuts a text into parts of at most {@link TOKEN_BYTES}, never within a character. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of text) {
    const more = Buffer.byteLength(character);
    if (bytes + more > TOKEN_BYTES) {
      parts.push(part);
      part = '';
      bytes = 0;
    }
    part += character;
    bytes += more;
  }
  return part === '' ? parts : [...parts, part];
}
