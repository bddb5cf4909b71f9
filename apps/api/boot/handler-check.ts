import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { USE_CASES } from './use-cases.js';

/** Where `@CommandHandler` and `@QueryHandler` keep the class they handle; the package does not export the names. */
const COMMAND_HANDLER_METADATA = '__commandHandler__';
const QUERY_HANDLER_METADATA = '__queryHandler__';

/** Refuses to start unless every command and query has exactly one handler: the buses would warn or fail at a call. */
@Injectable()
export class HandlerCheck implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const handlers = this.discovery.getProviders().flatMap(({ metatype }) => {
      const handled = typeof metatype === 'function' ? handledBy(metatype as Type<unknown>) : undefined;
      return handled ? [{ handler: (metatype as Type<unknown>).name, handled }] : [];
    });
    const problem = handlerProblem(USE_CASES, handlers);
    if (problem) throw new Error(problem);
  }
}

interface KnownHandler {
  readonly handler: string;
  readonly handled: Type<unknown>;
}

/** One sentence that names the fix, or null when all is complete. */
export function handlerProblem(useCases: readonly Type<unknown>[], handlers: readonly KnownHandler[]): string | null {
  for (const useCase of useCases) {
    const found = handlers.filter(({ handled }) => handled === useCase).map(({ handler }) => handler);
    if (found.length === 0) return `${useCase.name} has no handler: add it to USE_CASE_HANDLERS.`;
    if (found.length > 1) return `${useCase.name} has ${found.length} handlers (${found.join(', ')}): keep one.`;
  }
  const unlisted = handlers.find(({ handled }) => !useCases.includes(handled));
  return unlisted
    ? `${unlisted.handled.name} is handled by ${unlisted.handler} but is not in USE_CASES: add it.`
    : null;
}

function handledBy(metatype: Type<unknown>): Type<unknown> | undefined {
  return (Reflect.getMetadata(COMMAND_HANDLER_METADATA, metatype) ??
    Reflect.getMetadata(QUERY_HANDLER_METADATA, metatype)) as Type<unknown> | undefined;
}
