/** Occurrences of a name in one file that are looked at; the rest is left out. */
const MOST_PLACES = 20_000;

const WORD = /[\p{L}\p{N}_]/u;

/** Returns the offsets at which a text has a name as a whole word, at most 20,000. */
export function wordPlaces(text: string, name: string): readonly number[] {
  const places: number[] = [];
  if (name === '') return places;
  const isWord = (character: string | undefined): boolean => WORD.test(character ?? '');
  const beginsAsWord = isWord(name[0]);
  const endsAsWord = isWord(name.at(-1));
  let at = text.indexOf(name);
  while (at !== -1 && places.length < MOST_PLACES) {
    const end = at + name.length;
    const isWhole =
      !(beginsAsWord && at > 0 && isWord(text[at - 1])) && !(endsAsWord && isWord(text[end]));
    if (isWhole) places.push(at);
    at = text.indexOf(name, end);
  }
  return places;
}
