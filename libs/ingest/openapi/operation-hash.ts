import { hash } from 'node:crypto';

import { beforeFirst } from '#contracts/content/before-first';

import { isObject, type JsonObject, objectOf, textOf } from './json.js';
import { type Operation, schemaOfParameter } from './operations.js';
import type { References } from './references.js';
import { canonicalJson, type SchemaHashes } from './schema-hash.js';

/**
 * Returns a hash of an operation's input and output: parameters, request body and responses,
 * references resolved. Descriptions, examples, and the order and names of things do not affect it.
 * Two sources that describe the same operation have the same hash.
 */
export function operationHash(
  operation: Operation,
  schemas: SchemaHashes,
  references: References,
): string {
  const { parameters, body, responses } = operation;
  const content = (holder: JsonObject): object =>
    Object.fromEntries(
      Object.entries(objectOf(holder['content'])).map(([type, media]) => [
        mediaType(type),
        schemas.of(objectOf(media)['schema']),
      ]),
    );
  const parts = {
    parameters: parameters.map((parameter) => parameterParts(parameter, schemas)).sort(),
    body:
      body === undefined ? null : { required: body['required'] === true, content: content(body) },
    responses: Object.fromEntries(
      responses.map(([status, response]) => [
        status.toUpperCase(),
        { content: content(response), headers: headers(response, schemas, references) },
      ]),
    ),
  };
  return hash('sha256', canonicalJson(parts));
}

function parameterParts(parameter: JsonObject, schemas: SchemaHashes): string {
  const where = textOf(parameter['in']) ?? '';
  const name = textOf(parameter['name']) ?? '';
  const required = where === 'path' || parameter['required'] === true;
  return canonicalJson([
    where,
    where === 'header' ? name.toLowerCase() : name,
    required,
    schemas.of(schemaOfParameter(parameter)),
  ]);
}

function headers(response: JsonObject, schemas: SchemaHashes, references: References): object {
  const given = Object.entries(objectOf(response['headers']));
  return Object.fromEntries(
    given.map(([name, header]) => {
      const followed = isObject(header) ? references.follow(header) : undefined;
      return [name.toLowerCase(), schemas.of(followed && schemaOfParameter(followed))];
    }),
  );
}

/**
 * Returns a media type without parameters that do not affect the shape of the content:
 * `application/json; charset=utf-8`.
 */
function mediaType(type: string): string {
  return beforeFirst(type, ';').trim().toLowerCase();
}
