/**
 * One line for each field in an operation's text, below a heading that names the section. It is
 * written when a specification is read. It is read back when two descriptions of one endpoint are
 * compared.
 *
 *     ## Response 200 > application/json
 *     - `owner` ({User}, required): Who it belongs to
 *       - `id` (integer)
 */
export interface FieldLine {
  /** Levels below the section. */
  readonly depth: number;
  readonly name: string;
  /**
   * The type in words. A schema with a name is in braces: `array of {User}`. If no lines follow
   * below, the schema has a text of its own.
   */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Between a section and the fields that its lines are inside of. */
const INSIDE = ' > ';

export function fieldLine({ depth, name, type, required, description }: FieldLine): string {
  const reported = description === '' ? '' : `: ${description}`;
  return `${'  '.repeat(depth)}- \`${plainName(name)}\` (${plainType(type)}${required ? ', required' : ''})${reported}`;
}

/** @param within the fields that the section is inside of, outermost first. */
export function sectionLine(section: string, within: readonly string[] = []): string {
  return `## ${[section, ...within.map(plainName)].join(INSIDE)}`;
}

/**
 * A field that was read from a text: its section and the names of its enclosing fields, its own
 * name last.
 */
export interface ReadField {
  readonly place: readonly string[];
  /** Type and whether it is required; empty for a section. */
  readonly reported: string;
}

const LINE = /^( *)- `([^`]*)` \(([^()]*)\)/;

/** Returns the sections and fields of a text, in order. Ignores lines above the first section. */
export function readFields(text: string): ReadField[] {
  const fields: ReadField[] = [];
  let place: string[] | undefined;
  let within = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) {
      place = line.slice(3).split(INSIDE);
      within = place.length;
      if (within === 1) fields.push({ place: [...place], reported: '' });
      continue;
    }
    const match = place && LINE.exec(line);
    if (!place || !match) continue;
    const [, indent = '', name = '', reported = ''] = match;
    place.length = Math.min(place.length, within + indent.length / 2);
    place.push(name);
    fields.push({ place: [...place], reported });
  }
  return fields;
}

/** The schemas that a field's type names. */
export function schemasNamed(reported: string): string[] {
  return Array.from(reported.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name);
}

function plainName(name: string): string {
  return name.replace(/[`\s]+/g, ' ').replaceAll(INSIDE, ' / ');
}

function plainType(type: string): string {
  return type.replaceAll('(', '[').replaceAll(')', ']').replace(/\s+/g, ' ');
}
