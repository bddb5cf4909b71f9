import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_footnote() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(footnote __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _footnote footnote
`,
  zsh: `#compdef footnote
_footnote() {
  local -a candidates
  candidates=(\${(f)"$(footnote __complete "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)"})
  compadd -a candidates
}
compdef _footnote footnote
`,
  fish: `complete -c footnote -f -a '(footnote __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

/** Returns the script that completes the command in a shell. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

/**
 * Returns the words that may stand at the end of a command.
 * @param words the words so far; the last one is the beginning of the wanted word
 * @param sourceNames returns the names of sources, for arguments that take one
 */
export async function candidates(
  program: Command,
  words: readonly string[],
  sourceNames: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let command = program;
  let previous = '';
  for (const word of words.slice(0, -1)) {
    command = command.commands.find((each) => each.name() === word) ?? command;
    previous = word;
  }
  const begun = words.at(-1) ?? '';
  const option = command.options.find((each) => [each.long, each.short].includes(previous));
  if (option?.long === '--source') return matching(await sourceNames(), begun);
  if (option?.argChoices) return matching(option.argChoices, begun);
  if (begun.startsWith('-')) {
    return matching(
      command.options.map(({ long }) => long ?? ''),
      begun,
    );
  }
  const names = command.commands.map((each) => each.name()).filter((name) => name !== '__complete');
  const [argument] = command.registeredArguments;
  if (argument?.argChoices) names.push(...argument.argChoices);
  if (argument?.name() === 'source') names.push(...(await sourceNames()));
  return matching(names, begun);
}

function matching(names: readonly string[], begun: string): readonly string[] {
  return names.filter((name) => name !== '' && name.startsWith(begun));
}
