import { boolean, httpUrl, integer, text } from './parsers.js';
import { optional, variable } from './variable.js';

/** Variables of chat. Without CHAT_MODEL those of the model have no effect. */
export const CHAT_VARIABLES = {
  CHAT_MODEL: optional(text, 'Chat model at the endpoint; when unset, answers quote what was found.'),
  CHAT_BASE_URL: optional(httpUrl, 'Endpoint of the chat model, where it is not OPENAI_BASE_URL.'),
  CHAT_API_KEY: optional(text, 'Key for CHAT_BASE_URL, which never gets OPENAI_API_KEY.', true),
  CHAT_TIMEOUT_SECONDS: variable(integer(1, 3_600), '120', 'Longest time of one answer, repeats included.'),
  CHAT_MAX_TOKENS: optional(
    integer(16, 1_000_000),
    "Tokens after which the chat model is told to end an answer; the endpoint's own limit when unset.",
  ),
  CHAT_CONTEXT_TOKENS: optional(
    integer(100, 1_000_000),
    'Most tokens of passages and earlier turns that the chat model is given, whatever max_context_tokens asks for; for a model that reads little.',
  ),
  CHAT_PACKAGE_SECONDS: variable(
    integer(1, 60),
    '10',
    'How long an answer waits for the packages that its question mentions, all together; those not indexed by then are left out.',
  ),
  SERVICE_DOCS: variable(
    boolean,
    'true',
    "Whether Footnote's own documentation is indexed, so that chat answers from it with `scope: service_docs`.",
  ),
} as const;
