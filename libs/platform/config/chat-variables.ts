import { boolean, httpUrl, integer, text } from './parsers.js';
import { optional, variable } from './variable.js';

/** Variables of chat. Without CHAT_MODEL, the variables of the model have no effect. */
export const CHAT_VARIABLES = {
  CHAT_MODEL: optional(
    text,
    'Chat model at the endpoint, or `provider:model` for the package of a provider; if unset, answers quote the passages found.',
  ),
  CHAT_BASE_URL: optional(httpUrl, 'Endpoint of the chat model; OPENAI_BASE_URL if unset.'),
  CHAT_API_KEY: optional(text, 'Key for CHAT_BASE_URL; OPENAI_API_KEY is never sent there.', true),
  CHAT_TIMEOUT_SECONDS: variable(
    integer(1, 3_600),
    '120',
    'Maximum time of one answer, including retries.',
  ),
  CHAT_MAX_TOKENS: optional(
    integer(16, 1_000_000),
    'Maximum tokens of an answer, sent to the chat model; the limit of the endpoint if unset.',
  ),
  CHAT_CONTEXT_TOKENS: optional(
    integer(100, 1_000_000),
    'Maximum tokens of passages and earlier turns sent to the chat model, regardless of max_context_tokens; for models with a small context.',
  ),
  CHAT_PACKAGE_SECONDS: variable(
    integer(1, 60),
    '10',
    'How long an answer waits for all packages that its question mentions; packages that are not indexed by then are left out.',
  ),
  SERVICE_DOCS: variable(
    boolean,
    'true',
    'Whether to index the documentation of Footnote itself, so that chat answers from it with `scope: service_docs`.',
  ),
} as const;
