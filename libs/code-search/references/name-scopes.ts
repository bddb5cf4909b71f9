import type { Node } from 'web-tree-sitter';

import type { LineTable } from '#ingest/chunk/line-table';

import { identifierNode, isImported } from './identifier-nodes.js';
import type { NameBinding, NameOccurrence, NamePlace } from './name-occurrence.js';
import type { NameRole, NameSpace, ScopeRules } from './name-role.js';
import { SyntaxPath } from './syntax-path.js';
import { placeAt } from './text-occurrences.js';
import { wordPlaces } from './word-places.js';

/** Occurrences between two checks of the budget. */
const ASK_EVERY = 8;
/** Names of receivers that are looked up in one file. */
const MOST_RECEIVERS = 200;

const UNKNOWN: NameBinding = { kind: 'unknown' };

/** An identifier with its role; both are undefined in languages without rules. */
interface RoledName {
  readonly leaf: Node;
  readonly place: NamePlace;
  readonly path: SyntaxPath | undefined;
  readonly role: NameRole;
}

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
  private readonly known = new Map<string, readonly RoledName[]>();

  constructor(private readonly file: ParsedFile) {}

  /** Returns the identifiers with a name, with their bindings. */
  occurrences(name: string): readonly NameOccurrence[] {
    const { isUsedUp } = this.file;
    const found: NameOccurrence[] = [];
    for (const [index, each] of this.named(name).entries()) {
      if (index % ASK_EVERY === 0 && isUsedUp()) break;
      const isImport = each.role.as === 'import' || isImported(each.leaf);
      found.push({ ...each.place, isImport, binding: this.bindingOf(name, each) });
    }
    return found;
  }

  private named(name: string): readonly RoledName[] {
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
    this.known.set(name, found);
    return found;
  }

  private bindingOf(name: string, { role, path, place }: RoledName): NameBinding {
    switch (role.as) {
      case 'declaration':
        return this.declared(name, role.scope, role.space);
      case 'member_declaration':
        return { kind: 'declared', places: [place], isLocal: false };
      case 'import':
        return imported([role.module], role.imported);
      case 'qualified':
        return imported([role.module], name);
      case 'member':
        return this.member(name, role);
      case 'use':
        return (path && this.used(name, path, role.space)) ?? UNKNOWN;
    }
  }

  private declared(name: string, scope: Node, space: NameSpace): NameBinding {
    const places = this.named(name)
      .filter(
        ({ role }) =>
          role.as === 'declaration' && role.scope.id === scope.id && role.space === space,
      )
      .map(({ place }) => place);
    const isLocal = this.file.rules?.openScopes.has(scope.type) === false;
    return { kind: 'declared', places, isLocal };
  }

  private used(name: string, path: SyntaxPath, space: NameSpace): NameBinding | undefined {
    const { rules, root } = this.file;
    const declared = new Set(
      this.named(name).flatMap(({ role }) =>
        role.as === 'declaration' && role.space === space ? [role.scope.id] : [],
      ),
    );
    for (const { node } of path) if (declared.has(node.id)) return this.declared(name, node, space);
    const bound = this.importOf(name);
    if (bound) return imported([bound.module], bound.imported);
    const implicit = rules?.implicitModules?.(root, name) ?? [];
    return implicit.length > 0 ? imported(implicit, name) : undefined;
  }

  private member(name: string, { receiver }: Extract<NameRole, { as: 'member' }>): NameBinding {
    if (!receiver) return UNKNOWN;
    if ('own' in receiver) return this.memberOf(name, receiver.own) ?? UNKNOWN;
    const qualifier = receiver.name;
    if (!this.known.has(qualifier) && this.known.size >= MOST_RECEIVERS) return UNKNOWN;
    // A variable of a function may hide the type or module.
    if (this.isLocal(qualifier)) return UNKNOWN;
    const own = this.memberOf(name, qualifier);
    if (own) return own;
    const modules = this.file.rules?.modulesNamed?.(this.file.root, qualifier) ?? [];
    if (modules.length > 0) return imported(modules, name);
    const bound = this.importOf(qualifier);
    if (!bound) {
      const implicit = this.file.rules?.implicitModules?.(this.file.root, qualifier) ?? [];
      return implicit.length > 0 ? { ...imported(implicit, qualifier), member: name } : UNKNOWN;
    }
    if (bound.imported === '*') return imported([bound.module], name);
    return { ...imported([bound.module], bound.imported), member: name };
  }

  private isLocal(name: string): boolean {
    const { rules } = this.file;
    return this.named(name).some(
      ({ role }) => role.as === 'declaration' && rules?.openScopes.has(role.scope.type) === false,
    );
  }

  /** Returns the members of a type of the file; undefined if it has none with the name. */
  private memberOf(name: string, owner: string): NameBinding | undefined {
    const places = this.named(name)
      .filter(({ role, path }) => ownerOf(role, path) === owner)
      .map(({ place }) => place);
    return places.length > 0 ? { kind: 'declared', places, isLocal: false } : undefined;
  }

  private importOf(name: string): Extract<NameRole, { as: 'import' }> | undefined {
    for (const { role } of this.named(name)) if (role.as === 'import' && role.binds) return role;
    return undefined;
  }
}

/** Returns the type in whose body a name is declared. */
function ownerOf(role: NameRole, path: SyntaxPath | undefined): string | undefined {
  if (role.as === 'member_declaration') return role.owner;
  if (role.as !== 'declaration' || !path || !/_body/.test(role.scope.type)) return undefined;
  const body = [...path].findIndex(({ node }) => node.id === role.scope.id);
  return path.at(body + 1)?.node.childForFieldName('name')?.text;
}

function imported(
  modules: readonly string[],
  name: string,
): Extract<NameBinding, { kind: 'imported' }> {
  return { kind: 'imported', modules, imported: name };
}
