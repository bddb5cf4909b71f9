import type { UsedReranker } from '#search';

/** A reranker's part in a search, in its receipt, so that a replay needs no endpoint. */
export type SealedReranker =
  | {
      readonly model: string;
      readonly outcome: 'applied';
      /** Base64 of the chunk ids, 16 bytes each, the most relevant first. */
      readonly order: string;
    }
  | Extract<UsedReranker, { readonly outcome: 'late' | 'failed' }>;

const ID_BYTES = 16;

/** Returns the form for a receipt. */
export function sealedReranker(used: UsedReranker): SealedReranker {
  if (used.outcome !== 'applied') return used;
  const { model, outcome, chunkIds } = used;
  const bytes = Buffer.from(chunkIds.map((id) => id.replaceAll('-', '')).join(''), 'hex');
  return { model, outcome, order: bytes.toString('base64') };
}

export function openReranker(sealed: SealedReranker): UsedReranker {
  if (sealed.outcome !== 'applied') return sealed;
  const { model, outcome, order } = sealed;
  const bytes = Buffer.from(order, 'base64');
  const chunkIds = Array.from({ length: bytes.length / ID_BYTES }, (_, at) =>
    asUuid(bytes.subarray(at * ID_BYTES, (at + 1) * ID_BYTES).toString('hex')),
  );
  return { model, outcome, chunkIds };
}

function asUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
