const NAMES: Readonly<Record<string, string>> = {
  staleness_budget_seconds: 'Stale after',
  min_evidence_count: 'Least results',
  min_evidence_score: 'Least top score',
  'source_priorities.repo': 'Priority of repositories',
  'source_priorities.docs_html': 'Priority of HTML docs',
  'source_priorities.docs_openapi': 'Priority of OpenAPI docs',
  enforce_staleness: 'Mark stale results and warn',
  enforce_refusal: 'Refuse instead of showing weak results',
};

/** A setting of the policy as the page shows it. */
export interface ShownSetting {
  readonly name: string;
  readonly value: (value: unknown) => string;
}

/** Returns how the page shows a setting of the policy; null for any other field. */
export function policySetting(field: string): ShownSetting | null {
  const name = NAMES[field];
  if (name === undefined) return null;
  return {
    name,
    value: (value) => {
      if (typeof value === 'boolean') return value ? 'yes' : 'no';
      if (field === 'staleness_budget_seconds' && typeof value === 'number') return days(value);
      return String(value);
    },
  };
}

/** Returns the settings of a policy by name, in the order of the form. */
export function policySettings(policy: object): readonly (readonly [string, string])[] {
  const fields = Object.entries(policy).flatMap(([field, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value as object).map(([inner, each]) => [`${field}.${inner}`, each] as const)
      : [[field, value] as const],
  );
  const values = new Map<string, unknown>(fields);
  return Object.keys(NAMES).flatMap((field) => {
    const setting = policySetting(field);
    return setting && values.has(field)
      ? [[setting.name, setting.value(values.get(field))] as const]
      : [];
  });
}

function days(seconds: number): string {
  const count = Number((seconds / 86_400).toFixed(3));
  return `${count.toLocaleString('en')} ${count === 1 ? 'day' : 'days'}`;
}
