import type { ChatUsage } from '#models';

/** Returns the usage of two requests of one answer; null if neither was counted. */
export function addUsage(one: ChatUsage | null, other: ChatUsage | null): ChatUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
  };
}
