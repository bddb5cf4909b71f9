import type { JsonObject } from './define-event.js';

/** Keywords that say nothing of which values are valid. */
const ANNOTATIONS = ['$schema', '$id', 'title', 'description', 'default'];
/** Keywords by which a larger number accepts less, and those by which it accepts more. */
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords that hold a schema; absent, everything is valid. */
const NESTED = ['items', 'additionalProperties', 'propertyNames'];
const COMPARED = new Set([
  ...ANNOTATIONS,
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  ...NESTED,
  ...['type', 'enum', 'const', 'properties', 'required', 'anyOf', 'oneOf', 'pattern', 'format'],
]);

/**
 * Returns the changes of a schema by which a stored event may become invalid, or a reader may miss
 * a field. New optional fields and wider values are no such change.
 * @param at path of the value, for the texts.
 */
export function schemaBreaks(
  before: JsonObject,
  after: JsonObject,
  at = 'data',
): readonly string[] {
  if (isChoice(before) || isChoice(after)) return choiceBreaks(before, after, at);
  return [
    ...valueBreaks(before, after, at),
    ...boundBreaks(before, after, at),
    ...fieldBreaks(before, after, at),
    ...NESTED.flatMap((name) => nestedBreaks(before[name], after[name], `${at}.${name}`)),
    ...otherBreaks(before, after, at),
  ];
}

function isChoice(schema: JsonObject): boolean {
  return 'anyOf' in schema || 'oneOf' in schema;
}

/** Each earlier form of a value must still be one; the closest form shows what is missing. */
function choiceBreaks(before: JsonObject, after: JsonObject, at: string): readonly string[] {
  const forms = formsOf(after);
  return formsOf(before).flatMap((form) => {
    const [closest = []] = forms
      .map((each) => schemaBreaks(form, each, at))
      .toSorted((one, other) => one.length - other.length);
    return closest;
  });
}

function formsOf(schema: JsonObject): readonly JsonObject[] {
  return (schema['anyOf'] ?? schema['oneOf'] ?? [schema]) as readonly JsonObject[];
}

function valueBreaks(before: JsonObject, after: JsonObject, at: string): readonly string[] {
  const types = typesOf(after);
  const isNarrower =
    types !== null && !(typesOf(before)?.every((type) => isTypeIn(type, types)) ?? false);
  const values = valuesOf(after);
  const lost = values && (valuesOf(before)?.filter((value) => !values.includes(value)) ?? ['any']);
  return [
    ...(isNarrower ? [`${at} accepts fewer types`] : []),
    ...(lost && lost.length > 0 ? [`${at} accepts fewer values (lost: ${lost.join(', ')})`] : []),
  ];
}

function typesOf({ type }: JsonObject): readonly unknown[] | null {
  return type === undefined ? null : [type].flat();
}

function isTypeIn(type: unknown, types: readonly unknown[]): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** Returns the JSON of each allowed value; null if there are no limits. */
function valuesOf(schema: JsonObject): readonly string[] | null {
  const values =
    'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[] | undefined);
  return values?.map((value) => JSON.stringify(value)) ?? null;
}

function boundBreaks(before: JsonObject, after: JsonObject, at: string): readonly string[] {
  const limit = (schema: JsonObject, name: string, none: number) =>
    (schema[name] as number | undefined) ?? none;
  const tighter = [
    ...LOWER_BOUNDS.filter(
      (name) => limit(after, name, -Infinity) > limit(before, name, -Infinity),
    ),
    ...UPPER_BOUNDS.filter((name) => limit(after, name, Infinity) < limit(before, name, Infinity)),
    ...['pattern', 'format'].filter((name) => name in after && after[name] !== before[name]),
  ];
  return tighter.map((name) => `${at} has a stricter ${name}`);
}

function fieldBreaks(before: JsonObject, after: JsonObject, at: string): readonly string[] {
  const [earlier, later] = [fieldsOf(before), fieldsOf(after)];
  const [neededBefore, needed] = [requiredOf(before), requiredOf(after)];
  const kept = Object.keys(earlier).filter((name) => name in later);
  return [
    ...Object.keys(earlier)
      .filter((name) => !(name in later))
      .map((name) => `${at}.${name} was removed`),
    ...needed
      .filter((name) => !neededBefore.includes(name))
      .map((name) => `${at}.${name} is required now`),
    ...neededBefore
      .filter((name) => name in later && !needed.includes(name))
      .map((name) => `${at}.${name} may be absent now`),
    ...kept.flatMap((name) =>
      schemaBreaks(earlier[name] ?? {}, later[name] ?? {}, `${at}.${name}`),
    ),
  ];
}

function fieldsOf({ properties = {} }: JsonObject): Readonly<Record<string, JsonObject>> {
  return properties as Readonly<Record<string, JsonObject>>;
}

function requiredOf({ required = [] }: JsonObject): readonly string[] {
  return required as readonly string[];
}

function nestedBreaks(before: unknown, after: unknown, at: string): readonly string[] {
  if (after === undefined || after === true || before === false) return [];
  if (after === false) return [`${at} is closed now`];
  const open = before === undefined || before === true;
  return schemaBreaks(open ? {} : (before as JsonObject), after as JsonObject, at);
}

/** Compares the remaining keywords by their JSON: each difference is a break. */
function otherBreaks(before: JsonObject, after: JsonObject, at: string): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !COMPARED.has(name))
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => `${at} has another ${name}`);
}
