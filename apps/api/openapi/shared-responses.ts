import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

import type { ErrorCode } from '#contracts';
import { ErrorView } from '#contracts/http/index';

/** Codes of any endpoint by status: of the edge, of a person's session, of a process that ends. */
const ANYWHERE: Readonly<Record<string, readonly ErrorCode[]>> = {
  400: ['bad_request'],
  401: ['csrf_invalid', 'role_missing'],
  503: ['overloaded', 'shutting_down'],
};
const JSON_TYPE = 'application/json';
const ERROR_PATH = getSchemaPath(ErrorView);

interface ErrorContent {
  readonly schema?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}

interface ErrorResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, ErrorContent>>;
}

/**
 * Moves equal error responses of all operations to `components.responses`, named by status and
 * codes, such as `Error404SourceNotFound`. Each states its codes as an enum, those of any endpoint
 * included. A generated client has one type for each, and the document has half the size.
 */
export function withSharedResponses(document: OpenAPIObject): OpenAPIObject {
  const shared: Record<string, ErrorResponse> = {};
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      const responses = operation?.responses as Record<string, unknown> | undefined;
      for (const [status, response] of Object.entries(responses ?? {})) {
        const codes = codesOf(response as ErrorResponse);
        if (!responses || codes.length === 0) continue;
        const name = `Error${status}${codes.map(pascal).join('')}`;
        shared[name] ??= withCodes(response as ErrorResponse, [
          ...new Set([...codes, ...(ANYWHERE[status] ?? [])]),
        ]);
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
  const sorted = Object.entries(shared).sort(([one], [other]) => (one < other ? -1 : 1));
  document.components = { ...document.components, responses: Object.fromEntries(sorted) as never };
  return document;
}

/** Returns the codes of an error response in order; none for any other response. */
function codesOf(response: ErrorResponse): readonly string[] {
  const content = response.content?.[JSON_TYPE];
  const isError = JSON.stringify(content?.schema)?.includes(ERROR_PATH) === true;
  return isError ? Object.keys(content?.examples ?? {}).sort() : [];
}

function withCodes(response: ErrorResponse, codes: readonly string[]): ErrorResponse {
  const content = response.content?.[JSON_TYPE];
  const properties = { code: { type: 'string', enum: codes } };
  const schema = { allOf: [{ $ref: ERROR_PATH }, { type: 'object', properties }] };
  return {
    description: response.description,
    content: { [JSON_TYPE]: { schema, examples: content?.examples ?? {} } },
  };
}

function pascal(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
