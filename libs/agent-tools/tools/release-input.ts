import { z } from 'zod';

import { type Ecosystem, ECOSYSTEMS } from '#contracts';

import type { AgentService } from '../agent-service.port.js';
import { type NamedSource, sourcesNamed } from '../source-names.js';
import { ToolProblem } from '../tool-problem.js';
import { definedFields } from './defined-fields.js';

/** A release of a public package in one text: ecosystem, name and, optionally, version. */
export const packageRelease = z
  .string()
  .min(1)
  .max(450)
  .optional()
  .describe('Instead of a source: npm:react@19.0.0');

/** A release as requests of the API name it. Without a version it is the latest. */
export interface RequestedRelease {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  readonly version?: string;
}

/**
 * Returns the release that a text names: `npm:react@19.0.0`, `npm:@nestjs/core`,
 * `maven:com.google.guava:guava@33.0.0-jre`. The version is behind the last `@` of the name.
 *
 * @throws ToolProblem for an unknown ecosystem, and for an empty name or version.
 */
export function releaseNamed(text: string): RequestedRelease {
  const colon = text.indexOf(':');
  const ecosystem = ECOSYSTEMS.find((each) => each === text.slice(0, colon).trim().toLowerCase());
  const release = text.slice(colon + 1).trim();
  // An `@` at the start belongs to the scope of an npm name.
  const at = release.lastIndexOf('@');
  const package_name = at > 0 ? release.slice(0, at) : release;
  const version = at > 0 ? release.slice(at + 1) : undefined;
  if (colon < 0 || !ecosystem || package_name === '' || version === '') {
    throw new ToolProblem(
      `package must be ecosystem:name or ecosystem:name@version, such as npm:react@19.0.0. ` +
        `Ecosystems: ${ECOSYSTEMS.join(', ')}.`,
    );
  }
  return { ecosystem, package_name, ...definedFields({ version }) };
}

/**
 * Returns the subject of a call: a source, or a release.
 * @throws ToolProblem unless exactly one of them is named, and for an unknown source.
 */
export async function subjectOf(
  service: AgentService,
  source: string | undefined,
  release: string | undefined,
): Promise<NamedSource | RequestedRelease> {
  if (release === undefined && source !== undefined) {
    const [named] = await sourcesNamed(service, [source]);
    return named ?? { id: source, name: source };
  }
  if (release === undefined || source !== undefined)
    throw new ToolProblem('Give either source or package.');
  return releaseNamed(release);
}
