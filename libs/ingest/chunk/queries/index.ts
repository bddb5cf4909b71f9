import { bash } from './bash.js';
import { c } from './c.js';
import { clojure } from './clojure.js';
import { cpp } from './cpp.js';
import { csharp } from './csharp.js';
import { css } from './css.js';
import { dart } from './dart.js';
import { elixir } from './elixir.js';
import { go } from './go.js';
import { haskell } from './haskell.js';
import { hcl } from './hcl.js';
import { ini } from './ini.js';
import { java } from './java.js';
import { javascript } from './javascript.js';
import { julia } from './julia.js';
import { kotlin } from './kotlin.js';
import type { LanguageQuery } from './language-query.js';
import { lua } from './lua.js';
import { objc } from './objc.js';
import { ocaml, ocamlInterface } from './ocaml.js';
import { php } from './php.js';
import { powershell } from './powershell.js';
import { python } from './python.js';
import { r } from './r.js';
import { regex } from './regex.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { scala } from './scala.js';
import { solidity } from './solidity.js';
import { swift } from './swift.js';
import { tsx, typescript } from './typescript.js';
import { zig } from './zig.js';

/** Languages that are cut by syntax, by the name that citations show. */
export const LANGUAGE_QUERIES: Readonly<Record<string, LanguageQuery>> = {
  bash,
  c,
  clojure,
  cpp,
  csharp,
  css,
  dart,
  elixir,
  go,
  haskell,
  hcl,
  ini,
  java,
  javascript,
  julia,
  kotlin,
  lua,
  'objective-c': objc,
  ocaml,
  'ocaml-interface': ocamlInterface,
  php,
  powershell,
  python,
  r,
  regex,
  ruby,
  rust,
  scala,
  solidity,
  swift,
  tsx,
  typescript,
  zig,
};
