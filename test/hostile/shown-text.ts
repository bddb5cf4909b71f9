/** Characters that a person does not see. */
export const HIDDEN =
  /\p{Cf}|\p{Co}|\p{Cn}|(?![\t\n])\p{Cc}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u3164|\uffa0/u;

/** Returns what stands outside blocks of code. */
export function outsideFences(text: string): string {
  return text.replace(/^(`{3,})[^`\n]*\n(?:[\s\S]*?\n)?\1$/gm, '');
}
