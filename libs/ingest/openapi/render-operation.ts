import { endpointKey, endpointName } from '#contracts/content/endpoint';

import { isObject, type JsonObject, lineOf, listOf, objectOf, textOf } from './json.js';
import { type LaidOut, layOut, type Section } from './layout.js';
import { type Operation, schemaOfParameter } from './operations.js';
import { pointerTo, type References } from './references.js';
import type { RenderedPart } from './rendered-part.js';
import type { SchemaField, SchemaReader } from './schema-fields.js';

const RESPONSE = 'Response';
/** Levels of fields of requests and responses; those of responses are reduced first. */
const DEPTHS = [
  [5, 5],
  [4, 3],
  [3, 2],
  [3, 1],
  [3, 0],
  [2, 0],
  [1, 0],
  [0, 0],
] as const;
const TRIES = DEPTHS.map(
  ([sent, answered]) =>
    ({ heading }: Section) =>
      heading.startsWith(RESPONSE) ? answered : sent,
);
/** Longest description of an operation that is used, in characters. */
const MAX_DESCRIPTION = 20_000;

export interface RenderContext {
  readonly document: JsonObject;
  readonly references: References;
  readonly schemas: SchemaReader;
  /** Paths before the paths, by the servers: `/v2`. */
  readonly bases: readonly string[];
}

/** Returns an operation in words, with the names that it is looked up by. */
export function renderOperation(
  operation: Operation,
  schemaHash: string,
  context: RenderContext,
): { readonly part: RenderedPart; readonly left: LaidOut['left'] } {
  const { kind, path, method, operation: own } = operation;
  const key = endpointKey(method, path);
  const operationId = textOf(own['operationId'])?.trim();
  const isEndpoint = kind === 'paths';
  const title = isEndpoint ? `# ${key}` : `# Webhook ${key}`;
  const { texts, left } = layOut(
    { title, about: aboutOf(operation, context), sections: sectionsOf(operation, context) },
    TRIES,
    true,
  );
  const names = isEndpoint
    ? [key, ...['', ...context.bases].flatMap((base) => namesOf(`${base}${path}`, method))]
    : [path];
  const symbol = operationId ?? (isEndpoint ? key : `Webhook ${path}`);
  return {
    part: {
      pointer: pointerTo(kind, path, method),
      symbol,
      defs: [...new Set([symbol, ...names])],
      ...(isEndpoint && { endpoint_key: key, schema_hash: schemaHash }),
      texts,
    },
    left,
  };
}

function namesOf(path: string, method: string): string[] {
  return [endpointName(path, method), endpointName(path)];
}

function aboutOf({ operation }: Operation, { document, references }: RenderContext): string {
  const operationId = lineOf(operation['operationId']);
  const summary = lineOf(operation['summary']);
  const tags = listOf(operation['tags']).flatMap((tag) => textOf(tag) ?? []);
  const lines = [
    [operationId && `\`${operationId}\``, summary].filter(Boolean).join(': '),
    operation['deprecated'] === true ? 'Deprecated.' : '',
    tags.length > 0 ? `Tags: ${tags.join(', ')}` : '',
    securityOf(operation['security'] ?? document['security']),
    calledBack(operation['callbacks'], references),
  ];
  const description = safeMarkdown(textOf(operation['description']) ?? '');
  return [
    lines.filter((line) => line !== '').join('\n'),
    description === summary ? '' : description,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Returns text whose headings are not mistaken for those of sections. */
export function safeMarkdown(text: string): string {
  const plain = text.replaceAll('\r\n', '\n').trim().slice(0, MAX_DESCRIPTION).toWellFormed();
  return plain.replace(/^#{1,2}(?=\s)/gm, '###');
}

function securityOf(security: unknown): string {
  const ways = listOf(security).flatMap((way) => {
    const schemes = Object.entries(objectOf(way)).map(([name, scopes]) => {
      const reported = listOf(scopes).flatMap((scope) => textOf(scope) ?? []);
      return reported.length > 0 ? `${name} (${reported.join(', ')})` : name;
    });
    return schemes.length > 0 ? [schemes.join(' and ')] : [];
  });
  return ways.length > 0 ? `Authentication: ${ways.join(' or ')}` : '';
}

/**
 * Lists the callbacks of the API by name, without a description: users who look for the endpoint
 * want its own behavior.
 */
function calledBack(callbacks: unknown, references: References): string {
  const reported = Object.entries(objectOf(callbacks)).map(([name, given]) => {
    const callback = isObject(given) ? references.follow(given) : undefined;
    const calls = Object.entries(objectOf(callback)).flatMap(([url, item]) =>
      Object.keys(objectOf(item))
        .filter((method) => /^(get|put|post|delete|patch)$/.test(method))
        .map((method) => endpointKey(method, url)),
    );
    return calls.length > 0 ? `${name} (${calls.join(', ')})` : name;
  });
  return reported.length > 0 ? `Callbacks: ${reported.join(', ')}` : '';
}

function sectionsOf(
  { parameters, body, responses }: Operation,
  { references, schemas }: RenderContext,
): Section[] {
  const sections: Section[] = [];
  if (parameters.length > 0) {
    sections.push({
      heading: 'Parameters',
      fields: parameters.map((parameter) => parameterField(parameter, schemas)),
    });
  }
  if (body) {
    const required = body['required'] === true;
    const intro = lineOf(body['description']);
    sections.push({
      heading: 'Request body',
      intro: plainIntro(intro),
      fields: contentFields(body, required, schemas),
    });
  }
  for (const [status, response] of responses) {
    const headers = Object.entries(objectOf(response['headers'])).flatMap(([name, given]) => {
      const header = isObject(given) ? references.follow(given) : undefined;
      return header ? [headerField(name, header, schemas)] : [];
    });
    sections.push({
      heading: `${RESPONSE} ${status}`,
      intro: plainIntro(lineOf(response['description'])),
      fields: [...headers, ...contentFields(response, false, schemas)],
    });
  }
  return sections;
}

/** Returns a description that does not look like a field. */
function plainIntro(text: string): string {
  return text.replace(/^(?:[-#]+\s*)+/, '');
}

function parameterField(parameter: JsonObject, schemas: SchemaReader): SchemaField {
  const where = textOf(parameter['in']) ?? '';
  const schema = schemaOfParameter(parameter);
  const shape = schemas.shapeOf(schema);
  return {
    name: textOf(parameter['name']) ?? '',
    required: where === 'path' || parameter['required'] === true,
    description: describedAs(parameter, schema, schemas),
    shape: { ...shape, type: `${where} ${shape.type}` },
  };
}

function headerField(name: string, header: JsonObject, schemas: SchemaReader): SchemaField {
  const schema = schemaOfParameter(header);
  const shape = schemas.shapeOf(schema);
  return {
    name: `header ${name}`,
    required: false,
    description: describedAs(header, schema, schemas),
    shape,
  };
}

function describedAs(holder: JsonObject, schema: unknown, schemas: SchemaReader): string {
  const own = lineOf(holder['description']) || schemas.descriptionOf(schema);
  return holder['deprecated'] === true ? `Deprecated. ${own}`.trim() : own;
}

/** Returns a line for each media type; types of the same schema share one. */
function contentFields(
  holder: JsonObject,
  required: boolean,
  schemas: SchemaReader,
): SchemaField[] {
  const media = Object.entries(objectOf(holder['content']));
  const bySchema = Map.groupBy(media, ([, type]) => JSON.stringify(objectOf(type)['schema']) ?? '');
  return [...bySchema.values()].map((same): SchemaField => {
    const schema = objectOf(same[0]?.[1])['schema'];
    return {
      name: same.map(([type]) => type).join(', '),
      required,
      description: '',
      shape: schemas.shapeOf(schema),
    };
  });
}
