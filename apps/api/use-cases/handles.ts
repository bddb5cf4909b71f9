import type { Type } from '@nestjs/common';
import { type Command, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';

type UseCase = Type<Command<unknown> | Query<unknown>>;

/** A handler class and the command or query that it says it handles. */
export interface DeclaredHandler {
  readonly handler: Type<unknown>;
  readonly useCase: Type<unknown>;
}

const declared: DeclaredHandler[] = [];

/**
 * Makes a class the handler of a command or query, and notes that it is: one that no module
 * provides is found at the start.
 */
export function Handles(useCase: UseCase): ClassDecorator {
  const bind = useCase.prototype instanceof Query ? QueryHandler(useCase) : CommandHandler(useCase);
  return (handler) => {
    declared.push({ handler: handler as unknown as Type<unknown>, useCase });
    bind(handler);
  };
}

/** Every handler that was loaded, whether or not a module provides it. */
export function declaredHandlers(): readonly DeclaredHandler[] {
  return declared;
}
