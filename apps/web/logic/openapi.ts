/** The parts of an OpenAPI 3.1 document that the page of the API shows. */
export interface ApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, ApiSchema>>;
    readonly responses?: Readonly<Record<string, ApiResponse>>;
  };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, ApiContent>> };
  readonly responses: Readonly<Record<string, ApiResponse>>;
  /** Empty for a public operation; absent where the default of the document applies. */
  readonly security?: readonly object[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: ApiSchema;
}

export interface ApiContent {
  readonly schema?: ApiSchema;
  readonly example?: unknown;
}

export interface ApiResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, ApiContent>>;
}

export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  readonly oneOf?: readonly ApiSchema[];
  readonly anyOf?: readonly ApiSchema[];
  readonly allOf?: readonly ApiSchema[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** An operation with its method and path. */
export interface Endpoint extends ApiOperation {
  readonly method: string;
  readonly path: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the operations of a document by tag, in the order of its tags and paths. */
export function endpointsByTag(document: ApiDocument): ReadonlyMap<string, readonly Endpoint[]> {
  const byTag = new Map<string, Endpoint[]>();
  for (const { name } of document.tags ?? []) byTag.set(name, []);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? 'other';
      byTag.set(tag, [...(byTag.get(tag) ?? []), { ...operation, method, path }]);
    }
  }
  return new Map([...byTag].filter(([, endpoints]) => endpoints.length > 0));
}

/** Returns the schema that a reference names; other schemas as they are. */
export function resolvedSchema(document: ApiDocument, schema: ApiSchema): ApiSchema {
  if (schema.$ref === undefined) return schema;
  return document.components?.schemas?.[nameOf(schema.$ref)] ?? {};
}

/** Returns the response that a reference names; other responses as they are. */
export function resolvedResponse(document: ApiDocument, response: ApiResponse): ApiResponse {
  if (response.$ref === undefined) return response;
  return document.components?.responses?.[nameOf(response.$ref)] ?? {};
}

/** Returns the type of a schema in words, such as `string[]` or `integer, 1 to 50`. */
export function typeText(schema: ApiSchema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices) return [...new Set(choices.map(typeText))].join(schema.allOf ? ' and ' : ' or ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  const named = types.map((type) =>
    type === 'array' && schema.items ? `${typeText(schema.items)}[]` : type,
  );
  return `${named.join(' or ')}${formatText(schema)}${rangeText(schema)}`;
}

function formatText({ format, type }: ApiSchema): string {
  return format === undefined || type === 'array' ? '' : ` (${format})`;
}

function rangeText(schema: ApiSchema): string {
  const { minimum, maximum, minLength, maxLength } = schema;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  if (maximum !== undefined) return `, at most ${maximum}`;
  if (maxLength === undefined) return '';
  return `, ${minLength ? `${minLength} to ` : 'at most '}${maxLength} characters`;
}

/** Returns the last part of a reference. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Returns the path of a request, with values in place of its parameters and the query. */
export function requestPath(
  path: string,
  parameters: readonly ApiParameter[],
  values: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? '';
    if (place === 'path') filled = filled.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (place === 'query' && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return `${filled.replace(/^\//, '')}${text && `?${text}`}`;
}
