import { hash } from 'node:crypto';

/** A symbol as it is stored: a hash instead of its text. */
export interface HashedSymbol {
  readonly high: number;
  readonly low: number;
  /** True if no other document can name it. */
  readonly isLocal: boolean;
  /** True for a parameter or type parameter, and for what is local. */
  readonly isInner: boolean;
  /** True for a constructor, which does not define its class. */
  readonly isConstructor: boolean;
}

const LOCAL = 'local ';
/** A constructor, which is referred to by the name of its class. */
const CONSTRUCTOR = /(?<=#)(?:`<(?:init|constructor)>`|<constructor>)\([\w+-]*\)\.$/;

/** A variable with an annotation, which scip-python names otherwise where it is used. */
const ANNOTATED = /^(scip-python .*\/)(\w+)\.\2\.$/;

/**
 * Returns the hash of a symbol: 64 bits of SHA-256. A symbol that is local to a document is hashed
 * with the path of the document, a constructor as its class.
 * @param text the bytes of the symbol as Latin-1.
 */
export function hashSymbol(text: string, path: string): HashedSymbol {
  const isLocal = text.startsWith(LOCAL);
  const named = isLocal
    ? `${path}\0${text}`
    : text.replace(CONSTRUCTOR, '').replace(ANNOTATED, '$1$2#');
  const digest = hash('sha256', Buffer.from(named, isLocal ? 'utf8' : 'latin1'), 'buffer');
  return {
    high: digest.readUInt32BE(0),
    low: digest.readUInt32BE(4),
    isLocal,
    isConstructor: !isLocal && CONSTRUCTOR.test(text),
    isInner: isLocal || text.endsWith(')') || text.endsWith(']'),
  };
}
