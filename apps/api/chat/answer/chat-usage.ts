import type { ChatUsage } from '#models';

/** What two requests of one answer took together; null where neither was counted. */
export function addUsage(one: ChatUsage | null, other: ChatUsage | null): ChatUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
  };
}
