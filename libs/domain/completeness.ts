/** The declarations that the start-up check compares. */
export interface DomainDeclarations {
  /** Kinds of streams, each with its commands and events. */
  readonly kinds: Readonly<
    Record<string, { readonly commands: Readonly<object>; readonly events: Readonly<object> }>
  >;
  /** Event definitions, one per type. */
  readonly definitions: readonly { readonly type: string }[];
}

/**
 * Checks at start-up that each command belongs to one kind of stream. Also checks that each event
 * has one schema and one kind of stream that evolves by it.
 * @throws Error that names the type and the missing declaration.
 */
export function checkDomain({ kinds, definitions }: DomainDeclarations): void {
  const entries = Object.entries(kinds);
  refuseTwins(
    entries.flatMap(([kind, { commands }]) =>
      Object.keys(commands).map((type) => ({ type, kind })),
    ),
    'Command',
  );
  const evolved = entries.flatMap(([kind, { events }]) =>
    Object.keys(events).map((type) => ({ type, kind })),
  );
  refuseTwins(evolved, 'Event');
  refuseTwins(
    definitions.map(({ type }) => ({ type, kind: 'the event catalogue' })),
    'Event',
  );
  const defined = new Set(definitions.map(({ type }) => type));
  for (const { type, kind } of evolved) {
    if (!defined.has(type)) {
      throw new Error(
        `Event ${type} of stream kind ${kind} has no schema; add it to EVENT_DEFINITIONS`,
      );
    }
  }
  const known = new Set(evolved.map(({ type }) => type));
  for (const type of defined) {
    if (!known.has(type))
      throw new Error(
        `Event ${type} belongs to no stream kind; add it to the events of its stream`,
      );
  }
}

function refuseTwins(
  rows: readonly { readonly type: string; readonly kind: string }[],
  what: string,
): void {
  const seen = new Map<string, string>();
  for (const { type, kind } of rows) {
    const other = seen.get(type);
    if (other !== undefined)
      throw new Error(`${what} ${type} is declared twice, in ${other} and in ${kind}; rename one`);
    seen.set(type, kind);
  }
}
