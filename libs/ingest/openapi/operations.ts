import { HTTP_METHODS } from '#contracts/content/endpoint';

import { isObject, type JsonObject, listOf, objectOf, textOf } from './json.js';
import type { References } from './references.js';

/** An operation with everything that belongs to it, references to its parts resolved. */
export interface Operation {
  readonly kind: 'paths' | 'webhooks';
  /** The path, or the name of the webhook. */
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
  /** Parameters of the path merged with those of the operation, which take precedence. */
  readonly parameters: readonly JsonObject[];
  readonly body: JsonObject | undefined;
  /** By status, `default` included. */
  readonly responses: readonly (readonly [string, JsonObject])[];
}

/** Returns the operations of the specification in the order of their paths. */
export function* operationsOf(document: JsonObject, references: References): Generator<Operation> {
  for (const kind of ['paths', 'webhooks'] as const) {
    const items = objectOf(document[kind]);
    for (const path of Object.keys(items).sort()) {
      const item = items[path];
      // An extension is not a path.
      if (!isObject(item) || path.startsWith('x-')) continue;
      const whole = { ...references.follow(item), ...item };
      for (const method of HTTP_METHODS) {
        const operation = whole[method];
        if (isObject(operation))
          yield operationAt({ kind, path, method, operation }, whole, references);
      }
    }
  }
}

function operationAt(
  place: Pick<Operation, 'kind' | 'path' | 'method' | 'operation'>,
  item: JsonObject,
  references: References,
): Operation {
  const { operation } = place;
  const parameters = new Map<string, JsonObject>();
  let body = isObject(operation['requestBody'])
    ? references.follow(operation['requestBody'])
    : undefined;
  for (const given of [...listOf(item['parameters']), ...listOf(operation['parameters'])]) {
    const parameter = isObject(given) ? references.follow(given) : undefined;
    if (!parameter) continue;
    const name = textOf(parameter['name']);
    const where = textOf(parameter['in']);
    if (name !== undefined && where !== undefined) parameters.set(`${where} ${name}`, parameter);
    // A body that Swagger 2 has among the shared parameters.
    else if (isObject(parameter['content'])) body ??= parameter;
  }
  const responses = Object.entries(objectOf(operation['responses'])).flatMap(([status, given]) => {
    if (!isObject(given) || status.startsWith('x-')) return [];
    return [[status, references.follow(given) ?? {}] as const];
  });
  return { ...place, parameters: [...parameters.values()], body, responses };
}

/** Returns the schema of a parameter or header, which may be inside a media type. */
export function schemaOfParameter(parameter: JsonObject): unknown {
  if (parameter['schema'] !== undefined) return parameter['schema'];
  const [media] = Object.values(objectOf(parameter['content']));
  return objectOf(media)['schema'];
}
