import { fieldLine, sectionLine } from '#contracts/content/operation-text';

import type { SchemaField } from './schema-fields.js';

/** Characters that a chunk is laid out for: about 700 tokens. */
export const CHUNK_CHARACTERS = 2_800;
/** Most chunks of one operation or schema; its remaining fields are left out. */
const MAX_CHUNKS = 48;

/** Fields under a heading. */
export interface Section {
  readonly heading: string;
  /** The fields it is inside of, outermost first. */
  readonly within?: readonly string[];
  readonly intro?: string;
  readonly fields: readonly SchemaField[];
}

/** Subject of a layout: an operation or a schema. */
export interface Subject {
  /** First line of each chunk: `# GET /users/{id}`. */
  readonly title: string;
  /** Text of the first chunk only. */
  readonly about: string;
  readonly sections: readonly Section[];
}

export interface LaidOut {
  /** One text a chunk. */
  readonly texts: readonly string[];
  /** Pointers of named schemas whose fields are left to their own text. */
  readonly left: ReadonlySet<string>;
}

/** Characters that a heading needs below it, so that it is not left alone at the end. */
const HEADING_ROOM = 200;

/** Number of field levels that each section shows; deeper fields are left out of the chunk. */
type Depths = (section: Section) => number;

interface Drawn {
  readonly lines: readonly string[];
  readonly left: readonly string[];
  /** Fields without a name of their own that the depth cut off. */
  readonly groups: readonly Section[];
}

/**
 * Lays a subject out in one chunk, with as many levels of fields as fit; else in several. With
 * several chunks, objects without a name follow in chunks of their own, and named ones are left to
 * their own text. @param tries depths, deepest first @param inlines whether named schemas are
 * written out where they fit
 */
export function layOut(
  { title, about, sections }: Subject,
  tries: readonly Depths[],
  inlines: boolean,
): LaidOut {
  const left = new Set<string>();
  const packer = new Packer(title);
  const drawn = draw(
    sections,
    tries,
    CHUNK_CHARACTERS - title.length - about.length - 4 - HEADING_ROOM,
    inlines,
  );
  packer.add(about === '' ? [] : [about, '']);
  const groups: Section[] = [];
  const take = (next: readonly Drawn[]): void => {
    for (const one of next) {
      packer.add(one.lines);
      for (const pointer of one.left) left.add(pointer);
      groups.push(...one.groups);
    }
  };
  take(drawn);
  const groupTries = [3, 2, 1, 0].map((depth) => () => depth);
  for (let at = 0; at < groups.length && packer.count < MAX_CHUNKS; at++) {
    take(
      draw(
        [groups[at] as Section],
        groupTries,
        CHUNK_CHARACTERS - title.length - 2 - HEADING_ROOM,
        inlines,
      ),
    );
  }
  return { texts: packer.finish(MAX_CHUNKS), left };
}

function draw(
  sections: readonly Section[],
  tries: readonly Depths[],
  room: number,
  inlines: boolean,
): readonly Drawn[] {
  let drawn: readonly Drawn[] = [];
  for (const depthOf of tries) {
    const pen = new Pen(room, inlines);
    drawn = sections.map((section) => pen.section(section, depthOf(section)));
    if (!pen.isOver) return drawn;
  }
  const last = tries.at(-1);
  if (!last) return drawn;
  // Nothing fits: the packer cuts it.
  const pen = new Pen(Infinity, inlines);
  return sections.map((section) => pen.section(section, last(section)));
}

/** Writes lines while there is room. */
class Pen {
  isOver = false;

  constructor(
    private room: number,
    private readonly inlines: boolean,
  ) {}

  section({ heading, within = [], intro, fields }: Section, depth: number): Drawn {
    const lines: string[] = [];
    this.write(lines, sectionLine(heading, within));
    if (intro !== undefined && intro !== '') this.write(lines, intro);
    const left: string[] = [];
    const groups: Section[] = [];
    const walk = (field: SchemaField, level: number, inside: readonly string[]): void => {
      if (this.isOver) return;
      const { name, required, description, shape } = field;
      this.write(lines, fieldLine({ depth: level, name, type: shape.type, required, description }));
      if (!shape.composite) return;
      const isNamed = shape.named.length > 0;
      if (level < depth && (!isNamed || this.inlines)) {
        let isTold = false;
        for (const next of shape.fields()) {
          isTold = true;
          if (this.isOver) return;
          walk(next, level + 1, [...inside, name]);
        }
        // A schema within itself has no fields here.
        if (!isTold) left.push(...shape.named);
      } else if (isNamed) left.push(...shape.named);
      else groups.push({ heading, within: [...inside, name], fields: [...shape.fields()] });
    };
    for (const field of fields) walk(field, 0, within);
    this.write(lines, '');
    return { lines, left, groups };
  }

  private write(lines: string[], line: string): void {
    this.room -= line.length + 1;
    if (this.room < 0) this.isOver = true;
    lines.push(line);
  }
}

const FIELD = /^( *)- `[^`]*` \([^()]*\)/;

/**
 * Fills chunks with lines. In the next chunk, a continued section repeats its heading and the
 * fields that it is inside of.
 */
class Packer {
  private readonly texts: string[] = [];
  private lines: string[] = [];
  private size = 0;
  private heading: string | undefined;
  /** The fields that the newest one is inside of, itself last, without their descriptions. */
  private open: string[] = [];

  constructor(private readonly title: string) {}

  get count(): number {
    return this.texts.length;
  }

  add(lines: readonly string[]): void {
    for (const line of lines.flatMap((text) => cutLine(text))) {
      const isHeading = line.startsWith('## ');
      if (isHeading) this.heading = undefined;
      const field = FIELD.exec(line);
      const level = (field?.[1]?.length ?? 0) / 2;
      if (isHeading || field) this.open.length = isHeading ? 0 : Math.min(level, this.open.length);
      const needed = line.length + 1 + (isHeading ? HEADING_ROOM : 0);
      if (this.size + needed > CHUNK_CHARACTERS && this.size > 0) this.flush();
      if (this.lines.length === 0 && this.heading !== undefined && line !== '') {
        for (const above of [this.heading, ...this.open]) this.push(above);
      }
      if (field) this.open.push(field[0]);
      if (this.lines.length > 0 || line !== '') this.push(line);
      if (isHeading) this.heading = line;
    }
  }

  finish(most: number): readonly string[] {
    if (this.lines.length > 0 || this.texts.length === 0) this.flush();
    if (this.texts.length <= most) return this.texts;
    const kept = this.texts.slice(0, most);
    kept[most - 1] += '\n\nMore fields are not shown.';
    return kept;
  }

  private push(line: string): void {
    this.lines.push(line);
    this.size += line.length + 1;
  }

  private flush(): void {
    this.texts.push(`${this.title}\n${this.lines.join('\n')}`.trimEnd());
    this.lines = [];
    this.size = this.title.length + 1;
    if (this.size >= CHUNK_CHARACTERS) this.size = 0;
  }
}

/** Returns the lines of a text; cuts a line that no chunk could take at a space. */
function cutLine(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const pieces: string[] = [];
    let rest = line;
    while (rest.length > CHUNK_CHARACTERS / 2) {
      const space = rest.lastIndexOf(' ', CHUNK_CHARACTERS / 2);
      const cut = space > 0 ? space : CHUNK_CHARACTERS / 2;
      pieces.push(rest.slice(0, cut));
      rest = rest.slice(cut).trimStart();
    }
    return [...pieces, rest];
  });
}
