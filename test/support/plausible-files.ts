/**
 * Plausible source files, different in every file, so that chunk counts cannot agree by accident.
 */
export function plausibleFiles(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `src/module-${index % 17}/file-${index}.ts`,
      Array.from(
        { length: 6 + (index % 30) },
        (_unused, part) =>
          `/** Adds part ${part} of file ${index}. */\nexport function add${index}Part${part}(left: number, right: number): number {\n  const sum = left + right + ${part};\n  return sum;\n}\n`,
      ).join('\n'),
    ]),
  );
}
