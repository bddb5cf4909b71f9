import type { AgentService } from '#agent-tools';
import { createClient, type FootnoteClient } from '#client';
import type { ClientVariables } from '#platform/config/client-home';

import type { ContextStore } from './context-store.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

const DEFAULT_URL = 'http://localhost:8080';

/** The address and key of the service that a command speaks to. */
export interface Connection {
  readonly url: string;
  readonly apiKey: string;
}

/** The surroundings of a command. */
export class Session {
  /** Aborts when the person interrupts the command. */
  readonly interrupted = new AbortController();
  /** Name of a context in place of the current one. */
  contextName: string | undefined;

  constructor(
    readonly variables: ClientVariables,
    readonly contexts: ContextStore,
    readonly terminal: Terminal,
  ) {}

  get signal(): AbortSignal {
    return this.interrupted.signal;
  }

  /** Returns the settings of a call: an interruption ends it. */
  settings(): { readonly signal: AbortSignal } {
    return { signal: this.signal };
  }

  /** Returns the service of the environment, or of a context. @throws UsageError without a key. */
  async connection(): Promise<Connection> {
    const all = await this.contexts.list();
    const wanted = this.contextName;
    const context =
      wanted === undefined
        ? all.find(({ current }) => current)
        : all.find(({ name }) => name === wanted);
    if (wanted !== undefined && !context) throw new UsageError(`No context is named ${wanted}`);
    const url = this.variables.url ?? context?.url ?? DEFAULT_URL;
    // A stored key goes to the service that it was stored for, never to another.
    const stored = context?.url === url ? await this.contexts.keyOf(context.name) : undefined;
    const apiKey = this.variables.apiKey ?? stored;
    if (apiKey === undefined) {
      throw new UsageError(`No key for ${url}; run footnote login, or set FOOTNOTE_API_KEY`);
    }
    return { url: validUrl(url), apiKey };
  }

  async client(): Promise<FootnoteClient> {
    return createClient(await this.connection());
  }

  async agentService(): Promise<AgentService> {
    const { clientAgentService } = await import('#apps/mcp/http-agent-service');
    return clientAgentService(await this.client());
  }

  /** Ends the command with exit code 1: the answer is no. */
  negative(): void {
    this.terminal.exitCode = 1;
  }
}

/** Returns the address without a last slash. @throws UsageError for no http or https URL. */
export function validUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`The address must be an http or https URL (got "${url.slice(0, 200)}")`);
  }
  return url.replace(/\/$/, '');
}
