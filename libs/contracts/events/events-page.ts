import { z } from 'zod';

import { EVENT_DEFINITIONS } from './catalogue.js';

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly format?: string;
  readonly pattern?: string;
  readonly items?: FieldSchema;
}

/**
 * Returns the text of `docs/events.md`: every event with its version and fields, from the
 * definitions.
 */
export function eventsPage(): string {
  const sections = EVENT_DEFINITIONS.flatMap((definition) => {
    const schema = z.toJSONSchema(definition.schema, { io: 'input' }) as {
      readonly properties?: Readonly<Record<string, FieldSchema>>;
      readonly required?: readonly string[];
    };
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const optional = schema.required?.includes(name) ? '' : ', optional';
      return `- \`${name}\`: ${describe(field)}${optional}`;
    });
    return [
      `## ${definition.type}, version ${definition.version}`,
      '',
      ...(fields.length ? fields : ['No fields.']),
      '',
    ];
  });
  return [
    '# Events',
    '',
    'The events in the log and their fields. Every event also has metadata: tenant, actor, correlation',
    'and causation ID, schema version, time and, if a request caused it, the HTTP context. Older versions',
    'are converted to the current version when they are read. This page is generated from',
    '`libs/contracts/events` by `npm run docs`.',
    '',
    ...sections,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

function describe(field: FieldSchema): string {
  if (field.enum) return field.enum.map((value) => `\`${value}\``).join(' | ');
  const choices = field.anyOf ?? field.oneOf;
  if (choices) return choices.map(describe).join(' | ');
  if (field.properties?.['kind']?.const !== undefined) return tagged(field.properties);
  if (field.type === 'array') return `list of ${field.items ? describe(field.items) : 'values'}`;
  if (field.format === 'date-time') return 'time (ISO 8601)';
  if (field.pattern === '^[0-9a-f]{64}$') return 'SHA-256, hex';
  return field.type ?? 'value';
}

/** Describes a tagged object by the value of its `kind` and the names of its other fields. */
function tagged({ kind, ...rest }: Readonly<Record<string, FieldSchema>>): string {
  const fields = Object.keys(rest).map((name) => `\`${name}\``);
  return `\`${kind?.const}\`${fields.length ? ` with ${fields.join(', ')}` : ''}`;
}
