import { isObject, type JsonObject, lineOf, listOf, objectOf, textOf } from './json.js';
import { layOut } from './layout.js';
import type { LoadedSpec } from './load-spec.js';
import type { References } from './references.js';
import { safeMarkdown } from './render-operation.js';
import type { RenderedPart } from './rendered-part.js';

type OverviewOf = Omit<LoadedSpec, 'members'> & {
  readonly document: JsonObject;
  readonly references: References;
};

/**
 * Returns the specification's own description: title, description, servers, ways to authenticate,
 * tags.
 */
export function renderOverview({
  document,
  dialect,
  version = '',
  references,
}: OverviewOf): RenderedPart {
  const info = objectOf(document['info']);
  const title = lineOf(info['title']) || 'API';
  const servers = listOf(document['servers']).flatMap((server) => {
    const url = textOf(objectOf(server)['url']);
    const description = lineOf(objectOf(server)['description']);
    return url === undefined ? [] : [`- ${url}${description === '' ? '' : `: ${description}`}`];
  });
  const schemes = Object.entries(
    objectOf(objectOf(document['components'])['securitySchemes']),
  ).flatMap(([name, given]) => {
    const scheme = isObject(given) ? references.follow(given) : undefined;
    if (!scheme) return [];
    const reported = [scheme['type'], scheme['scheme'], scheme['in'], scheme['name']]
      .map(lineOf)
      .filter(Boolean);
    const description = lineOf(scheme['description']);
    return [`- ${name}: ${reported.join(' ')}${description === '' ? '' : `. ${description}`}`];
  });
  const tags = listOf(document['tags']).flatMap((tag) => {
    const name = lineOf(objectOf(tag)['name']);
    const description = lineOf(objectOf(tag)['description']);
    return name === '' ? [] : [`- ${name}${description === '' ? '' : `: ${description}`}`];
  });
  const list = (heading: string, lines: readonly string[]): string =>
    lines.length > 0 ? `## ${heading}\n${lines.join('\n')}` : '';
  const about = [
    [version === '' ? '' : `Version ${version}`, `Written in ${dialect}`]
      .filter(Boolean)
      .join('. ') + '.',
    safeMarkdown(textOf(info['description']) ?? lineOf(info['summary'])),
    list('Servers', servers),
    list('Authentication', schemes),
    list('Tags', tags),
  ];
  const { texts } = layOut(
    { title: `# ${title}`, about: about.filter(Boolean).join('\n\n'), sections: [] },
    [],
    false,
  );
  return { pointer: '', symbol: title, defs: [], texts };
}
