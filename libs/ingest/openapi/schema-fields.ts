import { isObject, type JsonObject, lineOf, listOf, objectOf, textOf } from './json.js';
import { References } from './references.js';
import { SpecProblem } from './spec-problem.js';

/**
 * A field of a schema, described in words. Fields below it are made on request: schemas may contain
 * themselves.
 */
export interface SchemaField {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly shape: SchemaShape;
}

/** Values that a schema allows, in words. */
export interface SchemaShape {
  /** `array of {User}`: schemas with a name and fields are in braces. */
  readonly type: string;
  /** Pointers of the schemas in braces. */
  readonly named: readonly string[];
  /** Whether there are fields in it. */
  readonly composite: boolean;
  /** Returns the fields of the objects in it, each made when the iteration reaches it. */
  fields(): Iterable<SchemaField>;
}

interface PropertyList {
  readonly required: ReadonlySet<unknown>;
  readonly entries: readonly (readonly [name: string, schema: unknown])[];
}

const MAX_VALUES = 24;
const MAX_WORD = 120;
/** Most wrappers around wrappers. */
const MAX_NESTING = 64;
/** Most visits of schemas for one specification: GitHub's 13 MB take 205,000. */
const MAX_LOOKS = 5_000_000;
/** Keywords that a merged schema expresses in other ways. */
const COMPOSITION = ['allOf', '$ref', 'oneOf', 'anyOf', 'properties'];
const NONE: ReadonlySet<string> = new Set();

/** Describes schemas in words. */
export class SchemaReader {
  private looks = 0;
  private readonly lists = new WeakMap<JsonObject, PropertyList>();

  constructor(private readonly references: References) {}

  /**
   * Returns the shape of a schema. @param through pointers that led here: a schema within itself is
   * not expanded again.
   */
  shapeOf(schema: unknown, through: ReadonlySet<string> = NONE, nesting = 0): SchemaShape {
    if (++this.looks > MAX_LOOKS)
      throw new SpecProblem('has schemas that refer to each other in too many ways');
    if (!isObject(schema) || nesting > MAX_NESTING)
      return leaf(schema === false ? 'nothing' : 'any');
    if (typeof schema['$ref'] === 'string')
      return this.referred(schema, schema['$ref'], through, nesting);
    const variants = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
    if (Array.isArray(schema['allOf']))
      return this.shapeOf(this.merged(schema), through, nesting + 1);
    if (variants.length > 0 && !isObject(schema['properties']))
      return this.union(schema, variants, through, nesting);
    const types = listOf(schema['type']).length > 0 ? listOf(schema['type']) : [schema['type']];
    const orNull = types.includes('null') && types.length > 1 ? ' or null' : '';
    const type = types.find((name) => name !== 'null') ?? types[0];
    if (type === 'array' || (type === undefined && schema['items'] !== undefined)) {
      const items = this.shapeOf(schema['items'], through, nesting + 1);
      return { ...items, type: `array of ${items.type}${bounds(schema, 'Items')}${orNull}` };
    }
    if (isObject(schema['properties'])) {
      const composite = this.listed(schema).entries.length > 0;
      const fields = () => this.properties(schema, through);
      return { type: `object${orNull}`, named: [], composite, fields };
    }
    const values = schema['additionalProperties'];
    if (isObject(values) && Object.keys(values).length > 0) {
      const inner = this.shapeOf(values, through, nesting + 1);
      return { ...inner, type: `map of ${inner.type}${orNull}` };
    }
    return leaf(`${scalarType(schema, types)}${orNull}`);
  }

  /** Returns a schema with the parts of its `allOf` merged, references included. */
  merged(schema: JsonObject): JsonObject {
    const properties: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    const required = new Set<unknown>();
    let rest: Record<string, unknown> = {};
    const variants: unknown[] = [];
    let left = 1_000;
    const add = (part: unknown, nesting: number): void => {
      if (!isObject(part) || nesting > MAX_NESTING || left-- <= 0) return;
      const whole = this.references.follow(part) ?? {};
      const own = whole === part ? part : { ...whole, ...part };
      for (const inner of listOf(own['allOf'])) add(inner, nesting + 1);
      Object.assign(properties, objectOf(own['properties']));
      for (const name of listOf(own['required'])) required.add(name);
      variants.push(...listOf(own['oneOf']), ...listOf(own['anyOf']));
      rest = { ...rest, ...own };
    };
    add(schema, 0);
    const hasFields = Object.keys(properties).length > 0;
    for (const key of COMPOSITION) delete rest[key];
    return {
      ...rest,
      ...(hasFields
        ? { properties, required: [...required] }
        : variants.length > 0 && { anyOf: variants }),
    };
  }

  private referred(
    schema: JsonObject,
    reference: string,
    through: ReadonlySet<string>,
    nesting: number,
  ): SchemaShape {
    const target = this.references.resolve(reference);
    if (!target) return leaf(`unresolved reference ${word(reference)}`);
    const { pointer, value } = target;
    if (through.has(pointer)) {
      const again = References.schemaName(pointer);
      return again === undefined
        ? leaf('recursive')
        : { ...leaf(`{${again}}`), named: [pointer], composite: true };
    }
    const inside = new Set([...through, pointer]);
    const beside = Object.keys(schema).length > 1 ? { allOf: [schema] } : value;
    const inner = this.shapeOf(beside, inside, nesting + 1);
    const name = References.schemaName(pointer);
    if (name === undefined || !inner.composite) return inner;
    const orNull = inner.type.endsWith(' or null') ? ' or null' : '';
    return { ...inner, type: `{${name}}${orNull}`, named: [pointer] };
  }

  private union(
    schema: JsonObject,
    variants: readonly unknown[],
    through: ReadonlySet<string>,
    nesting: number,
  ): SchemaShape {
    const nullable = variants.some(isNull) || listOf(schema['type']).includes('null');
    const shapes = variants
      .filter((variant) => !isNull(variant))
      .map((one) => this.shapeOf(one, through, nesting + 1));
    const [only, ...others] = shapes;
    const orNull = nullable ? ' or null' : '';
    if (only && others.length === 0)
      return { ...only, type: `${only.type.replace(/ or null$/, '')}${orNull}` };
    const types = [...new Set(shapes.map(({ type }) => type))];
    const shown =
      types.length > MAX_VALUES
        ? [...types.slice(0, MAX_VALUES), `${types.length - MAX_VALUES} more`]
        : types;
    const composite = shapes.filter((shape) => shape.composite);
    return {
      type: `${shown.join(' | ')}${orNull}`,
      named: shapes.flatMap(({ named }) => named),
      composite: composite.length > 0,
      fields: () => {
        const [object, ...more] = composite;
        if (object && more.length === 0) return object.fields();
        return composite.map((shape, at): SchemaField => {
          const name = `option ${at + 1}`;
          return { name, required: false, description: '', shape };
        });
      },
    };
  }

  private *properties(schema: JsonObject, through: ReadonlySet<string>): Generator<SchemaField> {
    const { required, entries } = this.listed(schema);
    for (const [name, property] of entries) {
      const description = this.descriptionOf(property);
      yield {
        name,
        required: required.has(name),
        description,
        shape: this.shapeOf(property, through),
      };
    }
  }

  /**
   * Lists a schema's properties once: each operation that refers to it shows the first few, of
   * thousands perhaps.
   */
  private listed(schema: JsonObject): PropertyList {
    const known = this.lists.get(schema);
    if (known) return known;
    const entries = Object.entries(objectOf(schema['properties']));
    const list = { required: new Set(listOf(schema['required'])), entries };
    this.lists.set(schema, list);
    return list;
  }

  /** Returns its own description, else that of the schema that it refers to, else its title. */
  descriptionOf(schema: unknown): string {
    if (!isObject(schema)) return '';
    const referred = this.references.follow(schema) ?? {};
    return (
      lineOf(schema['description']) || lineOf(referred['description']) || lineOf(schema['title'])
    );
  }
}

function leaf(type: string): SchemaShape {
  return { type, named: [], composite: false, fields: () => [] };
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'null';
}

function scalarType(schema: JsonObject, types: readonly unknown[]): string {
  const { enum: values, const: constant, format, pattern, default: preset } = schema;
  if (constant !== undefined) return word(JSON.stringify(constant));
  const names = types
    .filter((name) => name !== 'null' && name !== undefined)
    .map((name) => word(String(name)));
  let type = names.length > 0 ? names.join(' | ') : 'any';
  if (Array.isArray(values)) type = oneOf(values.filter((value) => value !== null));
  else if (textOf(format) !== undefined) type += ` ${word(String(format))}`;
  if (typeof pattern === 'string') type += `, pattern ${word(pattern)}`;
  type += bounds(schema, 'Length');
  type += limits(schema);
  return preset === undefined ? type : `${type}, default ${word(JSON.stringify(preset) ?? 'null')}`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => word(JSON.stringify(value) ?? 'null'));
  const more = values.length - shown.length;
  return `one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function bounds(schema: JsonObject, of: 'Items' | 'Length'): string {
  const noun = of === 'Items' ? 'items' : 'characters';
  const { [`min${of}`]: least, [`max${of}`]: most } = schema;
  if (typeof least === 'number' && typeof most === 'number') return `, ${least} to ${most} ${noun}`;
  if (typeof most === 'number') return `, at most ${most} ${noun}`;
  return typeof least === 'number' && least > 0 ? `, at least ${least} ${noun}` : '';
}

function limits({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): string {
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return `, ${minimum} to ${maximum}`;
  const parts = [
    typeof minimum === 'number' ? `, at least ${minimum}` : '',
    typeof maximum === 'number' ? `, at most ${maximum}` : '',
    typeof exclusiveMinimum === 'number' ? `, above ${exclusiveMinimum}` : '',
    typeof exclusiveMaximum === 'number' ? `, below ${exclusiveMaximum}` : '',
  ];
  return parts.join('');
}

/**
 * Returns a word of the specification itself on one line, shortened. Its braces are replaced,
 * because a schema's name has braces.
 */
function word(text: string): string {
  const plain = text.replace(/\s+/g, ' ').replaceAll('{', '<').replaceAll('}', '>');
  return plain.length <= MAX_WORD ? plain : `${plain.slice(0, MAX_WORD)}…`.toWellFormed();
}
