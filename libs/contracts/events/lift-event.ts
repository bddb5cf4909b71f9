import type { EventDefinition, JsonObject } from './define-event.js';

/** The data of an event at the current version of its type, or why there is none. */
export type Lifted =
  | { readonly data: JsonObject; readonly problem?: undefined }
  | { readonly data?: undefined; readonly problem: string };

/**
 * Lifts stored data of a version to the current one of its type, one version after the other. The
 * result is not checked against the schema.
 */
export function liftEvent(
  definition: EventDefinition<string, unknown>,
  version: number,
  data: JsonObject,
): Lifted {
  if (version > definition.version)
    return { problem: `this version of the service knows up to ${definition.version}` };
  let lifted = data;
  for (let from = version; from < definition.version; from += 1) {
    const step = definition.from[from];
    if (!step) return { problem: `there is no upcaster from version ${from}` };
    lifted = step(lifted);
  }
  return { data: lifted };
}
