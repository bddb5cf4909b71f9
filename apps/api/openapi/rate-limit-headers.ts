/** The headers of a metered answer, as the OpenAPI document describes them. */
export const RATE_LIMIT_HEADERS = {
  'RateLimit-Limit': {
    description: 'The tightest limit on searches; left out without one.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'What is left of it.', schema: { type: 'integer' } },
  'RateLimit-Reset': {
    description: 'Seconds until some of it comes back.',
    schema: { type: 'integer' },
  },
} as const;
