import { z } from 'zod';

/** Maximum tokens of a result: what clients accept without a warning. */
const MOST_TOKENS = 9_000;
const LEAST_TOKENS = 200;
/** Tokens of a result where the caller names no budget. */
export const DEFAULT_TOKENS = 4_000;

/** The budget of a result in tokens, headings included. Its name describes it to agents. */
export const maxTokens = z.int().min(LEAST_TOKENS).max(MOST_TOKENS).default(DEFAULT_TOKENS);

/** A source by name, `owner/repo` or id. */
export const sourceName = z.string().min(1).max(200);
