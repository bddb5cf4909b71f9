import { analyze } from '#retrieval';

import type { ResearchPassage } from '../plan/action.types.js';
import type { Support } from './answer.types.js';
import { claimTokens, isInPassages } from './claim-tokens.js';
import { STOP_TERMS } from './stop-terms.js';

const SUPPORTED_SHARE = 0.6;
/** Share of a claim's terms below which its passages say something else. */
const LEAST_SHARE = 0.25;

/** Result of the check of one claim. */
export type Judgement =
  | { readonly kind: 'kept'; readonly support: Support }
  /** A number or name is in no cited passage. */
  | { readonly kind: 'invented'; readonly token: string }
  | { readonly kind: 'unsupported' };

/** Returns whether the cited passages support a claim, and how well. */
export function judgeClaim(text: string, passages: readonly ResearchPassage[]): Judgement {
  if (passages.length === 0) return { kind: 'unsupported' };
  const token = claimTokens(text).find((each) => !isInPassages(each, passages));
  if (token !== undefined) return { kind: 'invented', token };
  const plain = squeeze(text);
  if (plain !== '' && passages.some(({ result }) => squeeze(result.content).includes(plain)))
    return { kind: 'kept', support: 'quoted' };
  const terms = [...new Set(analyze(text))].filter((term) => !STOP_TERMS.has(term));
  const own = new Set(
    passages.flatMap(({ result: { content, citation } }) =>
      analyze(`${content} ${citation.path} ${citation.symbol ?? ''}`),
    ),
  );
  const share =
    terms.length === 0 ? 0 : terms.filter((term) => own.has(term)).length / terms.length;
  if (share < LEAST_SHARE) return { kind: 'unsupported' };
  return { kind: 'kept', support: share >= SUPPORTED_SHARE ? 'supported' : 'weak' };
}

function squeeze(text: string): string {
  return text.replace(/[\s`"“”]+/g, ' ').trim();
}
