// The words that the language of this project avoids, each with what to write instead. The ESLint
// rule `plain-language` and the test of the documentation share this list.

const AVOIDED = [
  [/\b(?:tells?|telling|told)\b/i, 'report, return, show or log'],
  [/\banew\b/i, 'again'],
  [/\bbeside\b/i, 'next to, in addition to or while … runs'],
  [/\bmeanwhile\b/i, 'in between or at the same time'],
  [/\b(?:let|lets|letting) go\b/i, 'release'],
  [/\b(?:look|looks|looked|looking) after\b/i, 'supervise'],
  [/\b(?:bear|bears|bearing|borne)\b/i, 'carry, have or tolerate'],
  [/\b(?:mend|mends|mended|mending)\b/i, 'repair'],
  [/\b(?:bring|brings|bringing|brought)\b/i, 'fetch, return or contain'],
  [/\b(?:give|gives|giving|gave|given) back\b/i, 'return'],
  [/\b(?:he|him|his|himself)\b/i, 'they, them or their'],
  [/(?<!\bthere )\b(?:is|are) none\b/i, 'invalid, missing or empty'],
];

const BRITISH = new RegExp(
  [
    '(?:serial|normal|quant|organ|initial|recogn|summar|token|synchron|author|categor|minim|maxim)',
    '(?:optim|priorit|general|special)',
  ]
    .map((stem) => `${stem}is(?:e[drs]?|ing|able|ations?)(?![a-z])`)
    .concat(
      'behaviour|neighbour|colour|favour|honour|licence|artefact|centred',
      'analys(?:e[dr]?|ing)(?![a-z])',
      '(?:label|signal|travel|model)l(?:ed|ing)(?![a-z])',
    )
    .join('|'),
  'i',
);

/** Finds the first British spelling in a text or identifier. */
export function britishSpelling(text) {
  const words = text.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll('_', ' ');
  return BRITISH.exec(words)?.[0];
}

/** Removes what a text quotes: code, names and words of others. */
export function withoutQuotes(text) {
  return text
    .replace(/`[^`]*`/g, '``')
    .replace(/"[^"\n]*"/g, '""')
    .replace(/“[^”]*”/g, '“”');
}

/**
 * Finds the avoided words and British spellings in prose; quoted text is left out.
 *
 * @returns one sentence for each kind of problem, none where the text is clean
 */
export function problemsOfProse(prose) {
  const text = withoutQuotes(prose).replace(/\s+/g, ' ');
  const problems = AVOIDED.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [`Avoid "${found}"; write ${instead}.`];
  });
  const british = britishSpelling(text);
  return british === undefined
    ? problems
    : [...problems, `Use American spelling (found "${british}").`];
}

/** Finds the question word that opens a doc comment, if one does. */
export function openingQuestion(docComment) {
  return /^[\s*]*(What|Whatever|Of|Who|Whom|Whose|Whoever|Where|How|Which)\b/.exec(docComment)?.[1];
}
