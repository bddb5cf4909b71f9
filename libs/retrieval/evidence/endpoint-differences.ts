import { readFields, schemasNamed } from '#contracts/content/operation-text';

/** An endpoint as one source describes it. */
export interface DescribedEndpoint {
  readonly sourceName: string;
  /** The operation in words, as it is indexed. */
  readonly text: string;
  /**
   * Returns the words of a schema that the source describes separately; undefined if it has none of
   * that name.
   */
  schema(name: string): Promise<string | undefined>;
}

/** A field in which two descriptions of an endpoint differ. */
export interface EndpointDifference {
  /** In words: "response 200 `owner.email`". */
  readonly field: string;
  /** Descriptions of the field by the two sources; undefined where a source does not have it. */
  readonly reported: readonly [string | undefined, string | undefined];
}

export interface DifferenceLimits {
  /** Most differences to find. */
  readonly most: number;
  /** Most schemas to look up in either source. */
  readonly schemas: number;
}

interface FieldNode {
  reported: string;
  readonly children: Map<string, FieldNode>;
}

/**
 * Returns the fields in which two descriptions differ, outer ones first. Named schemas are included
 * wherever the sources describe them. Different names of schemas are not a difference.
 */
export async function endpointDifferences(
  one: DescribedEndpoint,
  other: DescribedEndpoint,
  { most, schemas }: DifferenceLimits,
): Promise<EndpointDifference[]> {
  const differences: EndpointDifference[] = [];
  const seen = new Set<string>();
  let left = schemas;
  const look = async (endpoint: DescribedEndpoint, name: string): Promise<string | undefined> =>
    left-- > 0 ? endpoint.schema(name) : undefined;
  const queue = [{ place: [] as readonly string[], a: treeOf(one.text), b: treeOf(other.text) }];
  for (let next = queue.shift(); next && differences.length < most; next = queue.shift()) {
    const { place, a, b } = next;
    const pair = JSON.stringify([a.reported, b.reported]);
    const names = [...schemasNamed(a.reported), ...schemasNamed(b.reported)];
    if (names.length > 0 && isTold(a) !== isTold(b)) {
      await Promise.all([tell(a, (name) => look(one, name)), tell(b, (name) => look(other, name))]);
    } else if (names.length > 0 && !isTold(a) && !seen.has(pair)) {
      // Schemas that contain themselves lead here again.
      seen.add(pair);
      await Promise.all([tell(a, (name) => look(one, name)), tell(b, (name) => look(other, name))]);
    }
    // One side has no description: there is nothing to compare.
    if (place.length > 0 && isTold(a) !== isTold(b) && names.length > 0) continue;
    for (const name of new Set([...a.children.keys(), ...b.children.keys()])) {
      const [x, y] = [a.children.get(name), b.children.get(name)];
      const at = [...place, name];
      if (x && y && shapeOf(x.reported) === shapeOf(y.reported))
        queue.push({ place: at, a: x, b: y });
      else differences.push({ field: inWords(at), reported: [x?.reported, y?.reported] });
    }
  }
  return differences.slice(0, most);
}

/** Returns a sentence that names the differences; empty where there are none. */
export function differencesInWords(
  [one, other]: readonly [string, string],
  differences: readonly EndpointDifference[],
  shown: number,
): string {
  if (differences.length === 0) return '';
  const reported = differences.slice(0, shown).map(({ field, reported: [a, b] }) => {
    if (a === undefined) return `${field} (only in ${other})`;
    if (b === undefined) return `${field} (only in ${one})`;
    return `${field} (${one}: ${short(a)}; ${other}: ${short(b)})`;
  });
  const more = differences.length - reported.length;
  return `${one} and ${other} differ in ${reported.join(', ')}${more > 0 ? ' and more' : ''}.`;
}

const MAX_TOLD = 100;

function short(reported: string): string {
  const plain = reported === '' ? 'any' : reported.replace(/[{}]/g, '');
  return plain.length <= MAX_TOLD ? plain : `${plain.slice(0, MAX_TOLD)}…`.toWellFormed();
}

function treeOf(text: string): FieldNode {
  const root: FieldNode = { reported: '', children: new Map() };
  for (const { place, reported } of readFields(text)) {
    let node = root;
    for (const name of place) {
      let child = node.children.get(name);
      if (!child) node.children.set(name, (child = { reported: '', children: new Map() }));
      node = child;
    }
    if (reported !== '') node.reported = reported;
  }
  return root;
}

function isTold({ children }: FieldNode): boolean {
  return children.size > 0;
}

/**
 * Adds the fields of the schemas that a field names below it, as an operation with enough room
 * does.
 */
async function tell(
  node: FieldNode,
  schema: (name: string) => Promise<string | undefined>,
): Promise<void> {
  if (isTold(node)) return;
  const names = schemasNamed(node.reported);
  const [only, ...others] = names;
  if (only === undefined) return;
  if (others.length > 0) {
    names.forEach((name, at) =>
      node.children.set(`option ${at + 1}`, { reported: `{${name}}`, children: new Map() }),
    );
    return;
  }
  const text = await schema(only);
  const fields = text === undefined ? undefined : treeOf(text).children.get('Fields');
  for (const [name, field] of fields?.children ?? []) node.children.set(name, field);
}

/** Returns a description without the names of schemas: each is an object, whatever its name. */
function shapeOf(reported: string): string {
  return reported.replace(/\{[^{}]*\}/g, 'object');
}

function inWords([section = '', ...names]: readonly string[]): string {
  const words = section.charAt(0).toLowerCase() + section.slice(1);
  if (names.length === 0) return words;
  if (section === 'Parameters') return `parameter \`${names.join('.')}\``;
  // The media type matters only where it is the difference.
  const inside = names.length > 1 ? names.slice(1) : names;
  return `${words} \`${inside.join('.')}\``;
}
