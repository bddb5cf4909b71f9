import type { Node } from 'web-tree-sitter';

import type { NameBinding, NamePlace } from './name-occurrence.js';
import type { NameRole, NameSpace, ScopeRules } from './name-role.js';
import type { SyntaxPath } from './syntax-path.js';

/** An identifier with its role; its path is undefined in languages without rules. */
export interface RoledName {
  readonly leaf: Node;
  readonly place: NamePlace;
  readonly path: SyntaxPath | undefined;
  readonly role: NameRole;
}

type DeclaredBinding = Extract<NameBinding, { kind: 'declared' }>;
type ImportRole = Extract<NameRole, { as: 'import' }>;

/**
 * The identifiers with one name in a file, by what they declare. Identifiers with the same
 * declarations share one binding, so that a file has no more places than identifiers.
 */
export class NamedIdentifiers {
  /** By space and id of the scope. */
  private readonly declared = new Map<string, NamePlaces>();
  /** By name of the type. */
  private readonly members = new Map<string, NamePlaces>();
  /** The first import that makes the name known in the file. */
  readonly imported: ImportRole | undefined;
  /** True if a function declares the name. */
  readonly isDeclaredInFunction: boolean;

  constructor(
    readonly all: readonly RoledName[],
    rules: Pick<ScopeRules, 'openScopes'> | undefined,
  ) {
    let imported: ImportRole | undefined;
    let isDeclaredInFunction = false;
    for (const { role, path, place } of all) {
      if (role.as === 'import' && role.binds) imported ??= role;
      if (role.as === 'declaration') {
        const isLocal = rules?.openScopes.has(role.scope.type) === false;
        isDeclaredInFunction ||= isLocal;
        addTo(this.declared, scopeKey(role.scope, role.space), place, isLocal);
      }
      const owner = ownerOf(role, path);
      if (owner !== undefined) addTo(this.members, owner, place, false);
    }
    this.imported = imported;
    this.isDeclaredInFunction = isDeclaredInFunction;
  }

  /** Returns the declarations in a scope; undefined for none. */
  declaredIn(scope: Node, space: NameSpace): DeclaredBinding | undefined {
    return this.declared.get(scopeKey(scope, space));
  }

  /** Returns the members of a type of the file; undefined for none. */
  memberOf(owner: string): DeclaredBinding | undefined {
    return this.members.get(owner);
  }
}

interface NamePlaces extends DeclaredBinding {
  readonly places: NamePlace[];
}

function addTo(
  known: Map<string, NamePlaces>,
  key: string,
  place: NamePlace,
  isLocal: boolean,
): void {
  const binding = known.get(key);
  if (binding) binding.places.push(place);
  else known.set(key, { kind: 'declared', places: [place], isLocal });
}

function scopeKey({ id }: Node, space: NameSpace): string {
  return `${id} ${space ?? ''}`;
}

/** Returns the type in whose body a name is declared. */
function ownerOf(role: NameRole, path: SyntaxPath | undefined): string | undefined {
  if (role.as === 'member_declaration') return role.owner;
  if (role.as !== 'declaration' || !path || !/_body/.test(role.scope.type)) return undefined;
  const body = [...path].findIndex(({ node }) => node.id === role.scope.id);
  return path.at(body + 1)?.node.childForFieldName('name')?.text;
}
