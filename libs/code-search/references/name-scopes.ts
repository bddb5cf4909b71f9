import type { Node } from 'web-tree-sitter';

import type { LineTable } from '#ingest/chunk/line-table';

import { identifierNode, isImported } from './identifier-nodes.js';
import type { NameBinding, NameOccurrence } from './name-occurrence.js';
import type { NameRole, NameSpace, ScopeRules } from './name-role.js';
import { NamedIdentifiers, type RoledName } from './named-identifiers.js';
import { SyntaxPath } from './syntax-path.js';
import { placeAt } from './text-occurrences.js';
import { wordPlaces } from './word-places.js';

/** Occurrences between two checks of the budget. */
const ASK_EVERY = 8;
/** Names of receivers that are looked up in one file. */
const MOST_RECEIVERS = 200;

const UNKNOWN: NameBinding = { kind: 'unknown' };

/** A file that is looked at. */
interface ParsedFile {
  readonly root: Node;
  readonly text: string;
  readonly lines: LineTable;
  readonly rules: ScopeRules | undefined;
  readonly isUsedUp: () => boolean;
}

/** The meaning of identifiers of one file, by its scopes and imports. */
export class NameScopes {
  private readonly known = new Map<string, NamedIdentifiers>();

  constructor(private readonly file: ParsedFile) {}

  /** Returns the identifiers with a name, with their bindings. */
  occurrences(name: string): readonly NameOccurrence[] {
    const { isUsedUp } = this.file;
    const named = this.named(name);
    const found: NameOccurrence[] = [];
    for (const [index, each] of named.all.entries()) {
      if (index % ASK_EVERY === 0 && isUsedUp()) break;
      const isImport = each.role.as === 'import' || isImported(each.leaf);
      found.push({ ...each.place, isImport, binding: this.bindingOf(name, named, each) });
    }
    return found;
  }

  private named(name: string): NamedIdentifiers {
    const known = this.known.get(name);
    if (known) return known;
    const { root, text, lines, rules, isUsedUp } = this.file;
    const found: RoledName[] = [];
    for (const [index, start] of wordPlaces(text, name).entries()) {
      if (index % ASK_EVERY === 0 && isUsedUp()) break;
      const leaf = identifierNode(root, start, start + name.length);
      if (!leaf) continue;
      const path = rules && SyntaxPath.to(leaf, root);
      const role: NameRole =
        rules && path ? rules.roleOf(path) : { as: 'member', receiver: undefined };
      found.push({ leaf, place: placeAt(lines, start), path, role });
    }
    const named = new NamedIdentifiers(found, rules);
    this.known.set(name, named);
    return named;
  }

  private bindingOf(
    name: string,
    named: NamedIdentifiers,
    { role, path, place }: RoledName,
  ): NameBinding {
    switch (role.as) {
      case 'declaration':
        return named.declaredIn(role.scope, role.space) ?? UNKNOWN;
      case 'member_declaration':
        return { kind: 'declared', places: [place], isLocal: false };
      case 'import':
        return imported([role.module], role.imported);
      case 'qualified':
        return imported([role.module], name);
      case 'member':
        return this.member(name, named, role);
      case 'use':
        return (path && this.used(name, named, path, role.space)) ?? UNKNOWN;
    }
  }

  private used(
    name: string,
    named: NamedIdentifiers,
    path: SyntaxPath,
    space: NameSpace,
  ): NameBinding | undefined {
    const { rules, root } = this.file;
    for (const { node } of path) {
      const declared = named.declaredIn(node, space);
      if (declared) return declared;
    }
    const bound = named.imported;
    if (bound) return imported([bound.module], bound.imported);
    const implicit = rules?.implicitModules?.(root, name) ?? [];
    return implicit.length > 0 ? imported(implicit, name) : undefined;
  }

  private member(
    name: string,
    named: NamedIdentifiers,
    { receiver }: Extract<NameRole, { as: 'member' }>,
  ): NameBinding {
    if (!receiver) return UNKNOWN;
    if ('own' in receiver) return named.memberOf(receiver.own) ?? UNKNOWN;
    const qualifier = receiver.name;
    if (!this.known.has(qualifier) && this.known.size >= MOST_RECEIVERS) return UNKNOWN;
    const qualifiers = this.named(qualifier);
    // A variable of a function may hide the type or module.
    if (qualifiers.isDeclaredInFunction) return UNKNOWN;
    const own = named.memberOf(qualifier);
    if (own) return own;
    const modules = this.file.rules?.modulesNamed?.(this.file.root, qualifier) ?? [];
    if (modules.length > 0) return imported(modules, name);
    const bound = qualifiers.imported;
    if (!bound) {
      const implicit = this.file.rules?.implicitModules?.(this.file.root, qualifier) ?? [];
      return implicit.length > 0 ? { ...imported(implicit, qualifier), member: name } : UNKNOWN;
    }
    if (bound.imported === '*') return imported([bound.module], name);
    return { ...imported([bound.module], bound.imported), member: name };
  }
}

function imported(
  modules: readonly string[],
  name: string,
): Extract<NameBinding, { kind: 'imported' }> {
  return { kind: 'imported', modules, imported: name };
}
