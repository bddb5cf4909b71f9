import { z } from 'zod';

/** Building blocks shared by the event schemas. */
export const id = z.string().min(1).max(64);
export const count = z.number().int().nonnegative();
export const blobHash = z.string().regex(/^[0-9a-f]{64}$/);
export const instant = z.iso.datetime();
/** SHA-256 or HMAC-SHA256, lower-case hex. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);
/** Text sealed with keys of the key ring. */
export const sealedText = z.string().max(8_192);
/** Stage counters as a job shows them, for example `{ chunks_embedded: 12, total_chunks: 40 }`. */
export const stageDetails = z.record(z.string(), z.number());
/** Details of a failed job, in addition to the message. */
export const errorDetails = z.looseObject({
  url: z.string().optional(),
  status_code: z.number().int().optional(),
});
