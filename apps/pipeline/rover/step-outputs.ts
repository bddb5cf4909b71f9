import { roverPlaces, type StepOutput } from '#domain';
import { type BlobStore, type KeyRing, newDataKey, openParts, sealParts } from '#platform';

import { openPart, readPartHead, sealPart } from '../artifacts/sealed-part.js';

/** Larger outputs are blobs, bytes of JSON. */
const INLINE_BYTES = 8 * 1024;
/** Bytes of one sealed part. */
const PART_BYTES = 8_000;
/** Bytes of the largest output. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface StepOutputsDependencies {
  readonly blobs: Pick<BlobStore, 'get' | 'put'>;
  readonly keyRing: KeyRing;
  readonly tenantId: string;
  readonly roverJobId: string;
}

/**
 * The stored outputs of the steps of a job, sealed with the tenant's key. They are in the event, or
 * in an encrypted blob that carries its owner.
 */
export class StepOutputs {
  constructor(private readonly dependencies: StepOutputsDependencies) {}

  /** Stores an output. @throws KeyDestroyedError if the tenant was erased. */
  async put(stepId: string, value: unknown): Promise<StepOutput> {
    const { blobs, keyRing, tenantId, roverJobId } = this.dependencies;
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    if (bytes > MOST_BYTES)
      throw new Error(`A step output must have at most ${MOST_BYTES} bytes (got ${bytes})`);
    if (bytes <= INLINE_BYTES) {
      const place = { tenantId, boundTo: roverPlaces.output(roverJobId, stepId) };
      return { sealed: [...(await sealParts(keyRing, place, text, [PART_BYTES, PART_BYTES]))] };
    }
    const dataKey = newDataKey();
    const key = await keyRing.seal(tenantId, this.keyContext(stepId), dataKey);
    const head = { tenant_id: tenantId, source_id: roverJobId, job_id: stepId, key };
    return { blob: await blobs.put(await sealPart(head, dataKey, Buffer.from(text))), bytes };
  }

  /** Returns a stored output. @throws Error if its key was destroyed; BlobNotFoundError. */
  async get(stepId: string, output: StepOutput): Promise<unknown> {
    const { blobs, keyRing, tenantId, roverJobId } = this.dependencies;
    if ('sealed' in output) {
      const place = { tenantId, boundTo: roverPlaces.output(roverJobId, stepId) };
      return JSON.parse(readable(await openParts(keyRing, place, output.sealed)));
    }
    const stored = await blobs.get(output.blob);
    const head = readPartHead(stored);
    if (head?.tenant_id !== tenantId || head.job_id !== stepId)
      throw new Error('A step output belongs to another step');
    const dataKey = readable(await keyRing.open(tenantId, this.keyContext(stepId), head.key));
    return JSON.parse(Buffer.from(await openPart(stored, dataKey)).toString('utf8'));
  }

  private keyContext(stepId: string): string {
    return `${roverPlaces.output(this.dependencies.roverJobId, stepId)}/key`;
  }
}

function readable(text: string | null): string {
  if (text === null) throw new Error('A step output cannot be opened: its key was destroyed');
  return text;
}
