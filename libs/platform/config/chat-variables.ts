import { httpUrl, integer, text } from './parsers.js';
import { optional, variable } from './variable.js';

/** Variables of the chat model. Without CHAT_MODEL none of them has an effect. */
export const CHAT_VARIABLES = {
  CHAT_MODEL: optional(text, 'Chat model at the endpoint; when unset, answers quote what was found.'),
  CHAT_BASE_URL: optional(httpUrl, 'Endpoint of the chat model, where it is not OPENAI_BASE_URL.'),
  CHAT_API_KEY: optional(text, 'Key for CHAT_BASE_URL, which never gets OPENAI_API_KEY.', true),
  CHAT_TIMEOUT_SECONDS: variable(integer(1, 3_600), '120', 'Longest time of one answer, repeats included.'),
} as const;
