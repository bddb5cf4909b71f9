import { applyDecorators } from '@nestjs/common';
import { ApiResponse, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

import { ERROR_CATALOGUE, type ErrorCode } from '#contracts';
import { ErrorView } from '#contracts/http/index';

type ResponseObject = Exclude<
  NonNullable<NonNullable<OpenAPIObject['paths'][string]['get']>['responses'][string]>,
  { $ref: string }
>;

/** Errors of every authenticated endpoint, besides its own. */
const COMMON: readonly ErrorCode[] = [
  'validation_failed',
  'unauthorized',
  'rate_limited',
  'internal_error',
  'engine_unavailable',
];

/** Documents the errors of an endpoint, one response a status with an example of each code. */
export function Problems(...codes: readonly ErrorCode[]): MethodDecorator & ClassDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...COMMON, ...codes])) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ...[...byStatus].map(([status, known]) =>
      ApiResponse({
        status,
        type: ErrorView,
        ...shown(known),
      }),
    ),
  );
}

/** The same as an entry of a document, for what no controller declares. */
export function problemResponse(code: ErrorCode): ResponseObject {
  const { description, examples } = shown([code]);
  return {
    description,
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorView) }, examples } },
  };
}

function shown(codes: readonly ErrorCode[]) {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].meaning}`).join('\n\n'),
    examples: Object.fromEntries(
      codes.map((code) => [code, { summary: code, value: exampleOf(code) }]),
    ),
  };
}

function exampleOf(code: ErrorCode): object {
  return {
    error: ERROR_CATALOGUE[code].meaning,
    code,
    ...(code === 'validation_failed'
      ? { details: [{ field: 'name', message: 'must be a string' }] }
      : {}),
    request_id: '019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a11',
  };
}
