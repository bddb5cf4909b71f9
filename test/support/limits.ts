const MANY = 1_000_000_000;
const limits = (limit: number | null) => ({
  standard: {
    requests: { minute: limit },
    search: { hour: limit, day: limit },
    chat: { hour: limit, day: limit },
    rover: { day: limit },
    sources: { total: limit },
    chunks: { total: limit },
  },
});

/** A service that counts everything and refuses nobody: for figures that no plan may end. */
export const ROOMY: Readonly<Record<string, string>> = {
  QUOTA_PLANS: JSON.stringify(limits(MANY)),
  RATE_LIMIT_ADDRESS: String(MANY),
  RATE_LIMIT_FAILED_AUTH: String(MANY),
};

/** One that counts nothing. */
export const UNLIMITED: Readonly<Record<string, string>> = {
  QUOTA_PLANS: JSON.stringify(limits(null)),
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_FAILED_AUTH: '0',
};
