import type { z } from 'zod';

import type { KeyScope } from '#contracts';

import type { AgentService } from './agent-service.port.js';
import type { FileAddress } from './file-uri.js';

/** Sets of tools; a client asks for more than the default by `?tools=`. */
export const TOOLSETS = ['default', 'manage', 'audit'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Returns the number of tokens of a text. */
export type TokenCounter = (text: string) => number;

/** The surroundings of one call of a tool. */
export interface ToolContext {
  readonly service: AgentService;
  readonly countTokens: TokenCounter;
  /** Aborts when the call is over: the client left or cancelled it, or the service ended it. */
  readonly signal: AbortSignal;
  /** Reports whether the client left or cancelled the call. */
  readonly isCancelled: () => boolean;
  /** Reports progress, 0 to 100, to a client that asked for it. */
  readonly report: (percent: number, message: string) => Promise<void>;
}

/** The parts of a result that are cut to a budget, for programs. */
export interface DataCut {
  /** Texts, cut after a line; they come before the lists. */
  readonly texts?: readonly string[];
  /** Lists in the order in which they are filled. */
  readonly lists?: readonly string[];
  /** The list within each item of the first list, cut as well. */
  readonly within?: string;
  /**
   * Returns the fields that describe the continuation: `more`, the next call, and others.
   * @param shown lines of the first text, or items of the first list: those within if it has any.
   */
  readonly continued: (shown: number) => Readonly<Record<string, unknown>>;
}

/** The result of a call: one payload as text, and the same data for programs. */
export interface ToolAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The parts that are cut if the data exceed the budget of a program. Default: none. */
  readonly cut?: DataCut;
  /** Files that programs get links to, one for each item of the first list of `cut`. */
  readonly files?: readonly FileAddress[];
}

/** A tool as an agent sees it. */
export interface AgentTool<Input extends z.ZodObject = z.ZodObject> {
  /** Letters and underscores only: providers of models reject other names. */
  readonly name: string;
  readonly toolset: Toolset;
  /** A key without this scope does not see the tool. */
  readonly scope: KeyScope;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** True if a call changes nothing that others can see. */
  readonly readOnly: boolean;
  /** True if equal calls have the effect of one. */
  readonly idempotent: boolean;
  /** True if a call may fetch from hosts outside, such as a registry. */
  readonly openWorld: boolean;
  /** @throws FootnoteError and {@link ToolProblem}, which become results that say what to do. */
  run(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer>;
}

/** Returns the tool, its input's type forgotten, so that tools fit in one list. */
export function agentTool<Input extends z.ZodObject>(tool: AgentTool<Input>): AgentTool {
  return tool;
}
