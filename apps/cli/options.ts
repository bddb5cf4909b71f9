import { type Command, InvalidArgumentError } from 'commander';

/** The filters of searches. */
export interface SearchFilters {
  readonly source?: string[];
  readonly path?: string[];
  readonly language?: string[];
}

/** Adds the filters of searches to a command. */
export function addSearchFilters(command: Command): Command {
  return command
    .option('-s, --source <name>', 'name, owner/repo or id; may be repeated', collect)
    .option('-p, --path <glob>', 'glob of paths; may be repeated', collect)
    .option('-l, --language <name>', 'language; may be repeated', collect);
}

/** Collects the values of a repeated option. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Reads a whole number. @throws InvalidArgumentError for something else. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number');
  return Number(text);
}

type Defined<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Returns the fields that have a value. */
export function definedFields<Fields extends object>(fields: Fields): Defined<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<Fields>;
}
