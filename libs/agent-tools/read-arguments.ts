import type { z } from 'zod';

import { nearestName } from '#contracts';

import { oneLine } from './text/one-line.js';
import type { AgentTool } from './tool.types.js';
import { ToolProblem } from './tool-problem.js';

/** Most problems of one kind in an answer: a long list has one for each of its items. */
const MOST_PROBLEMS = 10;

/**
 * Returns the arguments of a call as the tool takes them.
 * @throws ToolProblem with one sentence for each wrong argument; unknown ones are named with the
 * nearest known name.
 */
export function readArguments(tool: AgentTool, given: unknown): z.output<AgentTool['input']> {
  const known = Object.keys(tool.input.shape);
  const names = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  const unknown = names.filter((name) => !known.includes(name));
  const sentences = unknown.slice(0, MOST_PROBLEMS).map((name) => unknownName(name, known));
  const read = tool.input.safeParse(given ?? {});
  if (read.success && sentences.length === 0) return read.data;
  const issues = (read.error?.issues ?? []).filter(({ code }) => code !== 'unrecognized_keys');
  for (const { path, message } of issues.slice(0, MOST_PROBLEMS))
    sentences.push(`${path.join('.')}: ${message}.`);
  throw new ToolProblem(`${sentences.join(' ')} ${tool.name} takes ${known.join(', ')}.`);
}

function unknownName(name: string, known: readonly string[]): string {
  const shown = oneLine(name.slice(0, 60));
  return `${shown} is not an argument; use ${nearestName(name, known) ?? known[0] ?? ''}.`;
}
