import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { type DeclaredHandler, declaredHandlers } from './handles.js';

/**
 * Refuses to start unless every command and query has exactly one handler: the buses would warn or
 * fail at a call.
 */
@Injectable()
export class HandlerCheck implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const provided = this.discovery.getProviders().flatMap(({ metatype }) => metatype ?? []);
    const problem = handlerProblem(declaredHandlers(), provided);
    if (problem) throw new Error(problem);
  }
}

/**
 * One sentence that names the fix, or null when all is complete.
 * @param provided the classes that the modules provide, once for each module that does
 */
export function handlerProblem(
  declared: readonly DeclaredHandler[],
  provided: readonly unknown[],
): string | null {
  for (const [useCase, handlers] of Map.groupBy(declared, (each) => each.useCase)) {
    const names = handlers.map(({ handler }) => handler.name);
    if (names.length > 1)
      return `${useCase.name} has ${names.length} handlers (${names.join(', ')}): keep one.`;
  }
  for (const { handler, useCase } of declared) {
    const times = countOf(handler, provided);
    if (times === 0)
      return `${useCase.name} has no handler: add ${handler.name} to the providers of its module.`;
    if (times > 1) return `${handler.name} is provided by ${times} modules: keep it in one.`;
  }
  return null;
}

function countOf(handler: Type<unknown>, provided: readonly unknown[]): number {
  return provided.filter((each) => each === handler).length;
}
